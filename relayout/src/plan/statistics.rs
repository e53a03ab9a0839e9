//! Totals of what a plan moves.

use super::{Message, Plan};
use core::fmt;

/// Totals of a [`Plan`]: numbers of elements, messages and copies.
///
/// ```
/// use relayout::{Plan, Side};
/// // Four blocks of 4 become two blocks of 8.
/// let all = Plan::new(&Side::parse("(4,4):(1@0,1@1)")?, &Side::parse("(8,2):(1@0,1@1)")?)?.statistics();
/// assert_eq!((all.elements, all.local, all.remote, all.messages, all.descriptors), (16, 4, 12, 4, 4));
/// assert_eq!(all.to_string(), "16 elements in 4 messages of 4 copies; 4 stay local, 12 move");
/// # Ok::<(), relayout::PlanError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Number of elements written. Each replica counts.
    pub elements: i64,
    /// Number of elements whose source and target are in the same place.
    pub local: i64,
    /// Number of elements that move from one place to another.
    pub remote: i64,
    /// Number of pairs of places that have data to exchange. A place with itself is a pair, too.
    pub messages: usize,
    /// Number of copies, over all messages.
    pub descriptors: usize,
}

impl Plan {
    /// Returns the totals of the plan.
    pub fn statistics(&self) -> Statistics {
        let local = self.messages.iter().filter(|message| message.is_local()).map(Message::elements).sum();
        Statistics {
            elements: self.elements,
            local,
            remote: self.elements - local,
            messages: self.messages.len(),
            descriptors: self.messages.iter().map(|message| message.copies.len()).sum(),
        }
    }
}

/// Writes one line, such as `16 elements in 16 messages of 16 copies; 4 stay local, 12 move`.
impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let Statistics { elements, local, remote, messages, descriptors } = self;
        write!(f, "{elements} elements in {messages} message{} of {descriptors} ", plural(*messages))?;
        write!(f, "cop{}; {local} stay local, {remote} move", if *descriptors == 1 { "y" } else { "ies" })
    }
}
