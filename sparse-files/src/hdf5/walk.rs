//! Visits all datasets of an HDF5 file.

use super::damaged;
use crate::error::Result;
use hdf5_pure::Group;

/// The most groups in each other. A file may have a group that contains itself.
const MOST_DEPTH: usize = 64;

/// Calls `visit` with the path of each dataset, its group and its name in the group. Fails if the file is damaged, if it has more than
/// `most` groups, or if `visit` fails. A group counts once for each of its paths, which may be very many in a small file.
pub(super) fn datasets(root: &Group, most: usize, visit: &mut dyn FnMut(&str, &Group, &str) -> Result<()>) -> Result<()> {
    within(root, "", 0, &mut (0, most), visit)
}

fn within(
    group: &Group,
    path: &str,
    depth: usize,
    groups: &mut (usize, usize),
    visit: &mut dyn FnMut(&str, &Group, &str) -> Result<()>,
) -> Result<()> {
    groups.0 += 1;
    if depth > MOST_DEPTH {
        return Err(damaged(format_args!("more than {MOST_DEPTH} groups are within each other: {path}")));
    }
    if groups.0 > groups.1 {
        return Err(damaged(format_args!("the file has more than {} groups", groups.1)));
    }
    for name in group.datasets().map_err(damaged)? {
        visit(&format!("{path}{name}"), group, &name)?;
    }
    for name in group.groups().map_err(damaged)? {
        within(&group.group(&name).map_err(damaged)?, &format!("{path}{name}/"), depth + 1, groups, visit)?;
    }
    Ok(())
}
