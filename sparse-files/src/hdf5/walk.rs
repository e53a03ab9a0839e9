//! Visits all datasets of an HDF5 file.

use super::damaged;
use crate::error::Result;
use hdf5_pure::Group;

/// The most groups in each other. A file may have a group that contains itself.
const MOST_DEPTH: usize = 64;

/// The most groups that are visited. A group may be in several others, and so on.
const MOST_GROUPS: usize = 1 << 16;

/// Calls `visit` with the path of each dataset, its group and its name in the group. Fails if the file is damaged, if it has too
/// many groups, or if `visit` fails.
pub(super) fn datasets(root: &Group, visit: &mut dyn FnMut(&str, &Group, &str) -> Result<()>) -> Result<()> {
    within(root, "", 0, &mut 0, visit)
}

fn within(
    group: &Group,
    path: &str,
    depth: usize,
    groups: &mut usize,
    visit: &mut dyn FnMut(&str, &Group, &str) -> Result<()>,
) -> Result<()> {
    *groups += 1;
    if depth > MOST_DEPTH {
        return Err(damaged(format_args!("more than {MOST_DEPTH} groups are within each other: {path}")));
    }
    if *groups > MOST_GROUPS {
        return Err(damaged(format_args!("there are more than {MOST_GROUPS} groups")));
    }
    for name in group.datasets().map_err(damaged)? {
        visit(&format!("{path}{name}"), group, &name)?;
    }
    for name in group.groups().map_err(damaged)? {
        within(&group.group(&name).map_err(damaged)?, &format!("{path}{name}/"), depth + 1, groups, visit)?;
    }
    Ok(())
}
