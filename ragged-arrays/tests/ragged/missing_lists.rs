//! Compares operations on arrays with missing lists with the same operations on nested lists.

use self::Tree::{Gone, Leaf, List};
use crate::random::Rng;
use ragged_arrays::{DynLevel, OptionArray, RaggedArray, RaggedError};

/// A nested list of which any element may be missing.
#[derive(Clone, PartialEq, Debug)]
enum Tree {
    Gone,
    Leaf(i64),
    List(Vec<Tree>),
}

impl Tree {
    fn random(depth: usize, rng: &mut Rng, top: bool) -> Tree {
        match depth {
            _ if !top && rng.one_in(5) => Gone,
            0 => Leaf(rng.between(-4, 4)),
            _ => List((0..rng.below(4)).map(|_| Tree::random(depth - 1, rng, false)).collect()),
        }
    }

    fn items(&self) -> &[Tree] {
        if let List(items) = self { items } else { &[] }
    }

    /// Replaces every present list of `axis` by `f` of its elements.
    fn at(&self, axis: usize, f: &mut dyn FnMut(&[Tree]) -> Tree) -> Tree {
        match self {
            List(items) if axis == 0 => f(items),
            List(items) => List(items.iter().map(|item| item.at(axis - 1, f)).collect()),
            _ => Gone,
        }
    }

    /// Returns the elements of `axis`, missing ones included.
    fn elements(&self, axis: usize) -> Vec<Tree> {
        let items = self.items();
        if axis == 0 { items.to_vec() } else { items.iter().flat_map(|item| item.elements(axis - 1)).collect() }
    }

    /// Combines the elements of two trees that are present in both.
    fn zip(&self, other: &Tree, f: &mut dyn FnMut(i64, i64) -> i64) -> Tree {
        match (self, other) {
            (Leaf(x), Leaf(y)) => Leaf(f(*x, *y)),
            (List(x), List(y)) => List(x.iter().zip(y).map(|(x, y)| x.zip(y, f)).collect()),
            _ => Gone,
        }
    }

    /// Lays trees over one another, and adds their leaves.
    fn over(trees: &[Tree], depth: usize) -> Tree {
        if depth == 0 {
            return Leaf(trees.iter().map(|tree| if let Leaf(leaf) = tree { *leaf } else { 0 }).sum());
        }
        let longest = trees.iter().map(|tree| tree.items().len()).max().unwrap_or(0);
        let column = |k| trees.iter().filter_map(|tree| tree.items().get(k).cloned()).collect::<Vec<_>>();
        List((0..longest).map(|k| Tree::over(&column(k), depth - 1)).collect())
    }

    /// Returns the array of these lists. Missing lists have some elements, which the array drops.
    fn array(&self, depth: usize, rng: &mut Rng) -> OptionArray<'static, i64> {
        let (mut levels, mut missing, mut lists) = (Vec::new(), Vec::new(), self.items().to_vec());
        let outer = lists.len();
        for axis in 1..depth {
            missing.push(lists.iter().map(|list| *list == Gone).collect::<Vec<bool>>());
            let full = |list: Tree, rng: &mut Rng| match list {
                Gone if rng.one_in(3) => vec![if axis + 1 == depth { Leaf(99) } else { Gone }],
                list => list.items().to_vec(),
            };
            let parts: Vec<Vec<Tree>> = lists.into_iter().map(|list| full(list, rng)).collect();
            let lengths: Vec<usize> = parts.iter().map(Vec::len).collect();
            levels.push(DynLevel::of_lengths(&lengths).expect("lengths"));
            lists = parts.concat();
        }
        let leaves: Vec<Option<i64>> = lists.iter().map(|leaf| if let Leaf(leaf) = leaf { Some(*leaf) } else { None }).collect();
        OptionArray::new(RaggedArray::new(outer, levels, leaves).expect("lists"), missing).expect("marks")
    }
}

/// Returns the nested lists of an array, whose missing lists must be empty.
fn of(array: &OptionArray<'_, i64>) -> Tree {
    fn element(array: &OptionArray<'_, i64>, axis: usize, k: usize) -> Tree {
        if axis + 1 == array.depth() {
            return array.leaves()[k].map_or(Gone, Leaf);
        }
        let range = array.array().shape().row(axis, k);
        if array.missing(axis).get(k) == Some(&true) {
            assert!(range.is_empty());
            return Gone;
        }
        List(range.map(|k| element(array, axis + 1, k)).collect())
    }
    assert!((0..array.depth() - 1).all(|q| array.missing(q).is_empty() || array.missing(q).len() == array.array().shape().count(q)));
    List((0..array.len()).map(|k| element(array, 0, k)).collect())
}

/// Calls `check` with arrays of depth 1 to 4 and their nested lists.
fn arrays(seed: u64, mut check: impl FnMut(&Tree, &OptionArray<'static, i64>, usize, &mut Rng)) {
    let mut rng = Rng::new(seed);
    for round in 0..400 {
        let depth = 1 + round % 4;
        let tree = Tree::random(depth, &mut rng, true);
        let array = tree.array(depth, &mut rng);
        assert_eq!(of(&array), tree, "{array:?}");
        check(&tree, &array, depth, &mut rng);
    }
}

fn index_of(len: usize, index: isize) -> Option<usize> {
    let at = if index < 0 { index + len as isize } else { index };
    usize::try_from(at).ok().filter(|at| *at < len)
}

#[test]
fn elements_of_lists() {
    arrays(1, |tree, array, depth, rng| {
        for axis in 0..depth {
            let count = tree.elements(axis).len();
            let numbers: Vec<Option<usize>> = (0..4).map(|_| Some(rng.below(count)).filter(|_| count > 0 && !rng.one_in(4))).collect();
            let elements = tree.elements(axis);
            let want = numbers.iter().map(|number| number.map_or(Gone, |number| elements[number].clone())).collect();
            assert_eq!(of(&array.elements(axis, &numbers).expect("elements")), List(want));
            assert!(array.elements(axis, &[Some(count)]).is_err());

            let reversed = tree.at(axis, &mut |items| List(items.iter().rev().cloned().collect()));
            assert_eq!(of(&array.slice(axis, None, None, -1).expect("slice")), reversed);
            assert_eq!(of(&array.reverse(axis).expect("reverse")), reversed);
            let tail = tree.at(axis, &mut |items| List(items.iter().skip(1).cloned().collect()));
            assert_eq!(of(&array.slice(axis, Some(1), None, 1).expect("slice")), tail);

            let n = rng.below(5);
            for clip in [false, true] {
                let padded = tree.at(axis, &mut |items| {
                    let kept = if clip { items.len().min(n) } else { items.len() };
                    List(items[..kept].iter().cloned().chain((kept..n).map(|_| Gone)).collect())
                });
                assert_eq!(of(&array.pad_to(axis, n, clip).expect("pads")), padded);
            }
            let dropped = tree.at(axis, &mut |items| List(items.iter().filter(|item| **item != Gone).cloned().collect()));
            assert_eq!(of(&array.drop_none(axis).expect("drops")), dropped);
            if axis + 1 < depth {
                let filled = tree.at(axis, &mut |items| {
                    List(items.iter().map(|item| if *item == Gone { List(Vec::new()) } else { item.clone() }).collect())
                });
                assert_eq!(of(&array.fill_empty(axis).expect("fills")), filled);
            }
            let none = array.is_none(axis).expect("an axis").map(|none| i64::from(*none)).expect("bools");
            let marked = tree.at(axis, &mut |items| List(items.iter().map(|item| Leaf(i64::from(*item == Gone))).collect()));
            assert_eq!(of(&none), marked);
            let local = array.local_index(axis).expect("an axis").map(|index| *index as i64).expect("numbers");
            assert_eq!(of(&local), tree.at(axis, &mut |items| List((0..items.len() as i64).map(Leaf).collect())));
            let lengths = array.num(axis).expect("an axis").map(|len| *len as i64).expect("numbers");
            let want = tree.at(axis, &mut |items| Leaf(items.len() as i64));
            assert_eq!(of(&lengths), if axis == 0 { List(vec![want]) } else { want });
            if axis > 0 {
                let flat = |items: &[Tree]| List(items.iter().flat_map(|item| item.items().to_vec()).collect());
                assert_eq!(of(&array.flatten(axis).expect("flat")), tree.at(axis - 1, &mut |items| flat(items)));
            }
        }
        assert!(array.slice(depth, None, None, 1).is_err() && array.is_none(depth).is_err() && array.flatten(0).is_err());
    });
}

#[test]
fn indices_and_masks() {
    arrays(2, |tree, array, depth, rng| {
        for axis in 0..depth {
            let index = rng.between(-2, 1) as isize;
            let mut fits = true;
            let mut row = Gone;
            let want = tree.at(axis, &mut |items| match index_of(items.len(), index) {
                Some(at) => {
                    row = items[at].clone();
                    items[at].clone()
                }
                None => {
                    fits = false;
                    Gone
                }
            });
            match array.index(axis, index) {
                Ok(found) if axis > 0 => assert_eq!((of(&found), fits), (want, true)),
                Ok(found) if depth == 1 => assert_eq!(of(&found), List(vec![row])),
                Ok(found) => assert_eq!(of(&found), row),
                Err(RaggedError::MissingList { .. }) => assert!(axis == 0 && fits && row == Gone),
                Err(error) => assert!(!fits, "{error}"),
            }
            let picks: Vec<Option<isize>> = (0..3).map(|_| Some(rng.between(-1, 0) as isize).filter(|_| !rng.one_in(4))).collect();
            let mut fits = true;
            let want = tree.at(axis, &mut |items| {
                let one = |pick: &Option<isize>| pick.map_or(Gone, |pick| index_of(items.len(), pick).map_or(Gone, |at| items[at].clone()));
                fits &= !items.is_empty() || picks.iter().all(Option::is_none);
                List(picks.iter().map(one).collect())
            });
            assert_eq!(array.take_along(axis, &picks).ok().map(|found| of(&found)), fits.then_some(want));

            // Indices and masks that are missing for some lists.
            let lists = tree.at(axis, &mut |items| {
                let one =
                    |rng: &mut Rng| if rng.one_in(4) { Gone } else { Leaf(rng.between(-(items.len() as i64), items.len() as i64 - 1)) };
                if axis > 0 && rng.one_in(5) { Gone } else { List((0..if items.is_empty() { 0 } else { 3 }).map(|_| one(rng)).collect()) }
            });
            let mut beside = Vec::new();
            lists.at(axis, &mut |items| {
                beside.push(items.to_vec());
                Gone
            });
            let indices = lists.array(axis + 1, rng).map(|index| *index as isize).expect("indices");
            let found = of(&array.gather(&indices).expect("fits"));
            let want = choose(tree, &lists, axis, &|items, picks| {
                picks
                    .iter()
                    .map(
                        |pick| {
                            if let Leaf(pick) = pick { items[index_of(items.len(), *pick as isize).expect("fits")].clone() } else { Gone }
                        },
                    )
                    .collect()
            });
            assert_eq!(found, want);
            let bools =
                tree.at(axis, &mut |items| List(items.iter().map(|_| if rng.one_in(4) { Gone } else { Leaf(rng.below(2)) }).collect()));
            let mask = bools.array(axis + 1, rng).map(|keep| *keep == 1).expect("bools");
            let want = choose(tree, &bools, axis, &|items, keep| {
                let kept = items.iter().zip(keep).filter(|(_, keep)| **keep != Leaf(0));
                kept.map(|(item, keep)| if *keep == Gone { Gone } else { item.clone() }).collect()
            });
            assert_eq!(of(&array.filter(&mask).expect("the same lists")), want);
        }
    });
}

/// Chooses elements of a list by the elements of another list.
type Choose<'f> = &'f dyn Fn(&[Tree], &[Tree]) -> Vec<Tree>;

/// Chooses elements of the lists of `axis` by the corresponding lists of `keys`.
fn choose(tree: &Tree, keys: &Tree, axis: usize, f: Choose) -> Tree {
    match (tree, keys) {
        (List(items), List(keys)) if axis == 0 => List(f(items, keys)),
        (List(items), List(keys)) => List(items.iter().zip(keys).map(|(item, key)| choose(item, key, axis - 1, f)).collect()),
        _ => Gone,
    }
}

#[test]
fn several_arrays() {
    fn beside(tree: &Tree, rng: &mut Rng, depth: usize, top: bool) -> Tree {
        match tree {
            _ if !top && rng.one_in(5) => Gone,
            Gone => Tree::random(depth, rng, true),
            Leaf(_) => Leaf(rng.between(-4, 4)),
            List(items) => List(items.iter().map(|item| beside(item, rng, depth - 1, false)).collect()),
        }
    }
    fn joined(a: &Tree, b: &Tree, axis: usize) -> Tree {
        match (a, b) {
            (Gone, Gone) => Gone,
            _ if axis == 0 => List([a.items(), b.items()].concat()),
            (List(a), List(b)) => List(a.iter().zip(b).map(|(a, b)| joined(a, b, axis - 1)).collect()),
            _ => Gone,
        }
    }
    arrays(3, |tree, array, depth, rng| {
        let other = beside(tree, rng, depth, true);
        let second = other.array(depth, rng);
        let sums = array.zip_with(&second, |x, y| x + y).expect("the same lists");
        assert_eq!(of(&sums), tree.zip(&other, &mut |x, y| x + y));
        assert_eq!(sums, second.zip_with(array, |x, y| x + y).expect("the same lists"));
        for axis in 0..depth {
            let found = OptionArray::concatenate(&[array, &second], axis).expect("lists");
            assert_eq!(of(&found), joined(tree, &other, axis));
        }
        let sizes: Vec<usize> = vec![1; array.len()];
        assert_eq!(array.unflatten(0, &sizes).and_then(|groups| groups.flatten(1)).expect("groups"), *array);
    });
    let a = OptionArray::from_nested::<2, _>(vec![None, Some(vec![Some(1)])]).expect("lists");
    assert!(matches!(a.unflatten(1, &[0, 1]), Err(RaggedError::MissingList { axis: 0, element: 0 })));
    assert!(a.zip_with(&OptionArray::from_nested::<1, _>(vec![Some(1), None]).expect("leaves"), |x, y| x + y).is_err());
}

#[test]
fn reductions_and_order() {
    arrays(4, |tree, array, depth, rng| {
        for axis in 0..depth {
            let sums = of(&array.sum(axis).expect("small numbers"));
            let want = tree.at(axis, &mut |items| Tree::over(items, depth - axis - 1));
            assert_eq!(sums, if depth == 1 { List(vec![want]) } else { want });
            let (most, places) = (array.max(axis).expect("an axis"), array.argmax(axis).expect("an axis"));
            assert_eq!((most.missing(0), most.array().shape().offsets()), (places.missing(0), places.array().shape().offsets()));
            let least = array.map(|x| -x).and_then(|array| array.min(axis)).expect("an axis");
            assert_eq!(most, least.map(|x| -x).expect("numbers"));
        }
        let descending = rng.one_in(2);
        let sorted = tree.at(depth - 1, &mut |items| {
            let mut items = items.to_vec();
            items.sort_by_key(|item| if let Leaf(leaf) = item { (false, if descending { -*leaf } else { *leaf }) } else { (true, 0) });
            List(items)
        });
        assert_eq!(of(&array.sort_along(depth - 1, descending).expect("sorts")), sorted);
        let lists = (0..depth - 1).any(|q| !array.missing(q).is_empty());
        assert_eq!(array.sort_along(0, descending).is_err(), lists);
        assert_eq!(array.clone().present().is_err(), lists);
        if !lists && !array.leaves().contains(&None) {
            let whole = array.array().map(|leaf| leaf.unwrap_or(0)).expect("leaves");
            let sorted = whole.sort_along(0, descending).expect("sorts").map(|leaf| Some(*leaf)).expect("leaves");
            assert_eq!(array.sort_along(0, descending).expect("sorts").array(), &sorted);
        }
    });
}

#[test]
fn views_are_packed_and_wrong_marks_are_refused() {
    let leaves: Vec<Option<i64>> = (0..4).map(Some).collect();
    let views = RaggedArray::from_views(vec![2, 0, 1], vec![2, 1, 2], leaves).expect("views");
    let a = OptionArray::new(views.view(), vec![vec![false, true, false]]).expect("marks");
    assert_eq!(of(&a), List(vec![List(vec![Leaf(2), Leaf(3)]), Gone, List(vec![Leaf(1), Leaf(2)])]));
    assert!(OptionArray::new(views.view(), vec![]).is_err());
    assert!(OptionArray::new(views.view(), vec![vec![true; 2]]).is_err());
    assert_eq!(OptionArray::try_from(views.view()).expect("all present").present().expect("all present"), views);
}
