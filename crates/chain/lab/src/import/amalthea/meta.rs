//! The classes of the meta model that may carry work, waiting, activation or exclusion, and what becomes of each.
//!
//! From the meta models of ITEA 1.1 to APP4MC 3.x (`amalthea.xcore`, and the chapters on software, stimuli, operating
//! systems and mapping of the user guide). Invariant: the table is closed. A class that is not in it is treated as
//! one of which nothing is known: what is in it is read as it stands there, and the result rests on that. A test makes
//! a model for each line and looks at what became of it.

/// What becomes of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is part of the chain, as far as the model says enough.
    Modelled,
    /// It is no part of the chain, or not all of it, and what rests on it is no proof.
    Assumed,
    /// It carries nothing that the chain has.
    Nothing,
}

/// Where a class stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// In what a task or a runnable does.
    Item,
    /// Among the stimuli.
    Stimulus,
    /// As the algorithm of a scheduler of cores.
    Scheduler,
    /// In the operating system.
    System,
    /// In the mapping.
    Mapping,
    /// Among the requirements.
    Requirement,
}

/// A class of the meta model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    /// Where it stands.
    pub within: Within,
    /// What `xsi:type` calls it, or the element's name where there are no types.
    pub name: &'static str,
    /// What becomes of it.
    pub fate: Fate,
}

const fn class(within: Within, name: &'static str, fate: Fate) -> Class {
    Class { within, name, fate }
}

use Fate::{Assumed, Modelled, Nothing};
use Within::{Item, Mapping, Requirement, Scheduler, Stimulus, System};

/// All classes.
pub const CLASSES: [Class; 119] = [
    class(Item, "CallSequence", Modelled),
    class(Item, "Group", Modelled),
    class(Item, "DeviationRunnableItemGroup", Modelled),
    class(Item, "TaskRunnableCall", Modelled),
    class(Item, "RunnableCall", Modelled),
    class(Item, "Ticks", Modelled),
    class(Item, "RunnableInstructions", Modelled),
    class(Item, "InstructionsConstant", Modelled),
    class(Item, "InstructionsDeviation", Modelled),
    class(Item, "ExecutionNeed", Modelled),
    class(Item, "InterProcessTrigger", Modelled),
    class(Item, "InterProcessActivation", Modelled),
    class(Item, "ModeSwitch", Modelled),
    class(Item, "Switch", Modelled),
    class(Item, "RunnableModeSwitch", Modelled),
    class(Item, "ProbabilitySwitch", Modelled),
    class(Item, "ProbabiltitySwitch", Modelled),
    class(Item, "RunnableProbabilitySwitch", Modelled),
    class(Item, "WaitEvent", Assumed),
    class(Item, "SetEvent", Nothing),
    class(Item, "ClearEvent", Nothing),
    class(Item, "SemaphoreAccess", Assumed),
    class(Item, "WhileLoop", Assumed),
    class(Item, "SynchronousServerCall", Assumed),
    class(Item, "ServerCall", Assumed),
    class(Item, "AsynchronousServerCall", Assumed),
    class(Item, "EnforcedMigration", Assumed),
    class(Item, "TerminateProcess", Assumed),
    class(Item, "SchedulePoint", Nothing),
    class(Item, "CustomEventTrigger", Nothing),
    class(Item, "GetResultServerCall", Nothing),
    class(Item, "LocalModeLabelAssignment", Nothing),
    class(Item, "LabelAccess", Assumed),
    class(Item, "ModeLabelAccess", Assumed),
    class(Item, "ChannelSend", Assumed),
    class(Item, "ChannelReceive", Assumed),
    class(Item, "ChannelWrite", Assumed),
    class(Item, "ChannelRead", Assumed),
    class(Item, "SenderReceiverRead", Assumed),
    class(Item, "SenderReceiverWrite", Assumed),
    class(Stimulus, "PeriodicStimulus", Modelled),
    class(Stimulus, "Periodic", Modelled),
    class(Stimulus, "SporadicStimulus", Modelled),
    class(Stimulus, "Sporadic", Modelled),
    class(Stimulus, "RelativePeriodicStimulus", Modelled),
    class(Stimulus, "ArrivalCurveStimulus", Modelled),
    class(Stimulus, "ArrivalCurve", Modelled),
    class(Stimulus, "PeriodicSyntheticStimulus", Modelled),
    class(Stimulus, "SyntheticStimulus", Modelled),
    class(Stimulus, "Synthetic", Modelled),
    class(Stimulus, "PeriodicBurstStimulus", Assumed),
    class(Stimulus, "SingleStimulus", Assumed),
    class(Stimulus, "Single", Assumed),
    class(Stimulus, "InterProcessStimulus", Assumed),
    class(Stimulus, "InterProcess", Assumed),
    class(Stimulus, "InterProcessActivation", Assumed),
    class(Stimulus, "EventStimulus", Assumed),
    class(Stimulus, "PeriodicEvent", Assumed),
    class(Stimulus, "VariableRateStimulus", Assumed),
    class(Stimulus, "CustomStimulus", Assumed),
    class(Scheduler, "OSEK", Modelled),
    class(Scheduler, "FixedPriorityPreemptive", Modelled),
    class(Scheduler, "FixedPriority", Modelled),
    class(Scheduler, "DeadlineMonotonic", Modelled),
    class(Scheduler, "RateMonotonic", Modelled),
    class(Scheduler, "EarliestDeadlineFirst", Modelled),
    class(Scheduler, "EDF", Modelled),
    class(Scheduler, "FixedPriorityPreemptiveWithBudgetEnforcement", Assumed),
    class(Scheduler, "PriorityBased", Assumed),
    class(Scheduler, "PriorityBasedRoundRobin", Assumed),
    class(Scheduler, "RoundRobin", Assumed),
    class(Scheduler, "Grouping", Assumed),
    class(Scheduler, "LeastLocalRemainingExecutionTimeFirst", Assumed),
    class(Scheduler, "PfairPD2", Assumed),
    class(Scheduler, "PartlyPfairPD2", Assumed),
    class(Scheduler, "PPfairPD2", Assumed),
    class(Scheduler, "EarlyReleaseFairPD2", Assumed),
    class(Scheduler, "PartlyEarlyReleaseFairPD2", Assumed),
    class(Scheduler, "DeferrableServer", Assumed),
    class(Scheduler, "PollingPeriodicServer", Assumed),
    class(Scheduler, "PollingServer", Assumed),
    class(Scheduler, "SporadicServer", Assumed),
    class(Scheduler, "ConstantBandwidthServer", Assumed),
    class(Scheduler, "ConstantBandwidthServerWithCASH", Assumed),
    class(Scheduler, "UserSpecificSchedulingAlgorithm", Assumed),
    class(System, "taskSchedulers", Modelled),
    class(System, "interruptControllers", Modelled),
    class(System, "schedulers", Modelled),
    class(System, "scheduler", Modelled),
    class(System, "schedulingAlgorithm", Modelled),
    class(System, "computationItems", Assumed),
    class(System, "schedulingUnit", Assumed),
    class(System, "parentAssociation", Assumed),
    class(System, "overhead", Assumed),
    class(System, "osOverheads", Assumed),
    class(System, "osDataConsistency", Assumed),
    class(System, "osBuffering", Assumed),
    class(System, "semaphores", Modelled),
    class(System, "schedulerDefinitions", Nothing),
    class(System, "schedulingParameterDefinitions", Nothing),
    class(Mapping, "taskAllocation", Modelled),
    class(Mapping, "isrAllocation", Modelled),
    class(Mapping, "processAllocation", Modelled),
    class(Mapping, "executableAllocation", Modelled),
    class(Mapping, "schedulerAllocation", Modelled),
    class(Mapping, "coreAllocation", Modelled),
    class(Mapping, "memoryMapping", Modelled),
    class(Mapping, "mapping", Modelled),
    class(Mapping, "runnableAllocation", Assumed),
    class(Mapping, "physicalSectionMapping", Nothing),
    class(Mapping, "physicalSectionMappings", Nothing),
    class(Requirement, "ProcessRequirement", Modelled),
    class(Requirement, "RunnableRequirement", Nothing),
    class(Requirement, "ProcessChainRequirement", Nothing),
    class(Requirement, "ArchitectureRequirement", Nothing),
    class(Requirement, "TimingRequirement", Nothing),
    class(Requirement, "CPUPercentageRequirement", Nothing),
    class(Requirement, "FrequencyRequirement", Nothing),
    class(Requirement, "PercentageRequirement", Nothing),
];

/// What becomes of a class; nothing where it is not known.
pub fn fate(within: Within, name: &str) -> Option<Fate> {
    CLASSES.iter().find(|class| class.within == within && class.name == name).map(|class| class.fate)
}
