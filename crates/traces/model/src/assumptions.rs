//! What the causes, the accounts and the replay take for granted: one list of sentences, which reports show.

/// The assumptions, in the order of their numbers, from 1.
pub const ASSUMPTIONS: &[&str] = &[
    "The operations of a stream were put into it in the order in which they began; those that began together, in the \
     order of their ends, then of the file.",
    "An operation belongs to the call of its number and process that can launch something and had begun before it, or, \
     where clocks differ, to the first within a millisecond after it. Of several such calls it is the one that fits the \
     calls of its neighbours in the stream, or the one in its turn; otherwise its call is not known. An operation that \
     carries no process is of the only process that has calls for all operations of its context.",
    "A launch permits its operation to begin once its host call has begun; the other reading, once the call has \
     returned, is shown by counting the rest of that call as launch, unless the call waits for the operation itself.",
    "What was put into a stream before something else is told from the host's clock, and only where it is certain: the \
     one call had returned when the other began. Whatever lies between two operations of a stream was put there between \
     them.",
    "An operation follows everything put into its stream before; where it began earlier than that had ended \
     (programmatic launch, clocks that differ), the difference is negative and told so.",
    "The order of the nodes of a graph is not recorded. A node is taken to follow what its stream held before the graph, \
     and that node of the same launch and stream which had ended last when it began.",
    "An event is passed once everything certainly put into its stream before it is done, for the null stream also what \
     was put into the blocking ones, and whatever that stream was told to wait for before it. A wait counts for what was certainly put into its stream after it.",
    "The legacy null stream and the blocking streams of its context on the same device wait for each other. Streams of \
     which the file does not say what they wait for wait for nobody.",
    "A device has one copy engine for each direction between host and device, unless copies of that direction overlapped \
     anywhere in the recording: then nothing is blamed on it. Nor is it where a copy began as soon after its launch as any \
     that its launch alone held back.",
    "Room: the blocks of one kernel take equally long, and a kernel beside which no other ran filled its device wave by \
     wave, with as many blocks on every multiprocessor as occupancy permits. Until its last full wave was done, no multiprocessor could hold one more block than occupancy permits. Claimed \
     only where all limits and needs are known, and only between kernels of one process.",
    "A device that another process was recorded to have after all else permitted an operation was waited for until the \
     slice of the operation's own process in which it began.",
    "A call that waits for a stream, a device or an event waits for what was certainly put there before it began, by any \
     thread of its process; for the null stream, also for the blocking ones. It did not wait for what ended more than a \
     millisecond after it had returned. A call that waits for a device, as its name \
     says, waits for the only one that its process used. A call of which it is not recorded for what it waits is taken to \
     have waited for the last operation of its process that ended before it returned, if it ended during the call and was \
     put there before it or by it. A replay holds every wait back by all that it may have waited for: all that ended \
     before it returned.",
    "A copy to the host is waited for by its own call, unless that is asynchronous and the memory is pinned, or returned \
     before; a copy from pinned memory by a call that is not asynchronous. A copy from pageable memory by such a call \
     begins once its stream is done.",
    "The time that a thread spends in no recorded call is its own, and belongs to the launch that follows. What a thread \
     waits for beside the device (other threads, files) is not recorded.",
    "The device's own latency is what passed between the end of a stream's operation and the start of the next one where \
     that one had been put there before and nothing else ran on the device: up to the 99th percentile of all of these \
     times but the longest, kernels apart from copies and sets, is latency, what is longer is unexplained. What passes \
     after the return of a launching call onto a device that does nothing is measured in the same way, of ten such \
     launches at least, and a start no later than that after the return is within the latency. Times above \
     twenty times what the shortest tenth takes, and above 20 microseconds, are not among them: whatever they are, they \
     are no latency.",
    "An idle stretch is blamed on the operation that ends it; of several that begin together, on the first of its stream, \
     and of these on the one that all else had permitted first.",
    "A replay keeps the recorded length of every operation, every call and every pause of a thread; what followed what \
     still does, as long after it as recorded, and not before it. What had been permitted long before and comes last in \
     a replay is followed no sooner than the recording shows of any of its kind: a launch by its operation, a wait by \
     the return of its call. How long a call takes that need not wait any more is known from those that need not; \
     where all of them waited, it is taken to be no longer than what passed after its wait. What a kernel waits for \
     within itself, as in a collective operation of several devices, is not recorded: its length stays. Calls of several \
     threads about one stream stay in the order of their beginnings, copies in theirs on an engine: where a change turns \
     such an order around, which is counted, what it gains is one way the run may go. Of calls of several threads that \
     overlap it is not known which was first, and a replay lets neither wait for the other.",
];
