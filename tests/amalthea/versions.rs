//! One file for each form that models had over the years.

use expect_test::{Expect, expect};

use super::{DRIVER_ASSISTANCE, FILES, TEACHING, shown};
use warpspan::scenario;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(text));
}

#[test]
fn itea() {
    check(
        FILES[0],
        expect![[r#"
            version 1.3.0
            core Core 40000000 Hz
            Sample on Core, 5000000 ns within 5000000 rank 1: 550 ticks
            Filter on Core, 5000000 ns within 5000000 rank 2: 2500 ticks
            ? chain.tasks[0]: whether Sample reads or writes a label = it reads (line 30, column 7: the access does not say)
            ? chain.tasks[1].period: the period of Filter = 5 ms (it is activated through Sampled; how late that may be is not looked at)
            ? chain.tasks: which priority is the more urgent one = the larger number (AMALTHEA leaves it to the operating system; OSEK and AUTOSAR have it so)
            ? chain.tasks: time of label accesses of the host = none of its own (what cores read and write is taken to be part of their ticks)
        "#]],
    );
}

#[test]
fn cores_and_quartzes() {
    check(
        FILES[1],
        expect![[r#"
            version 0.7.1
            core z6 29000000 Hz
            Task 10 ms on z6, 9500000 ns within 9500000: 88300 ticks
            Tooth on z6, 9500000 ns within 9500000: 100 ticks
            ? chain.tasks[0].period: the period of Task 10 ms = 9.5 ms (Timer 10 has jitter, which shortens the least time between activations)
            ? chain.tasks[1].period: the period of Tooth = 9.5 ms (Shaft has no least distance; the longest period of the model, or 100 ms)
            ? chain.tasks: priorities on z6 = shorter deadlines first (1 of its tasks have none)
            ? chain.tasks: time of label accesses of the host = none of its own (what cores read and write is taken to be part of their ticks)
            - Amalthea/swModel/modes: 1, first at line 49, column 5
            - Amalthea/hwModel/system/ecus/microcontrollers/cores/ports (ComplexPort): 1, first at line 61, column 13
        "#]],
    );
}

#[test]
fn runnable_instructions_and_a_graphics_core() {
    check(
        FILES[2],
        expect![[r#"
            version 0.8.2
            core Core 1200000000 Hz
            kernel Match 22501 cycles, 2 x 256
            Track on Core, 1500000 ns within 1500000 rank 1: 400 ticks, 12000 B in, Match, 3072 B out, 400 ticks
            ? chain.device: the GPU = jetson-tx2 (AMALTHEA does not say what a GPU can hold; the model calls it Graphics)
            ? chain.machine: its multiprocessors = cc-6.2 (AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles)
            ? chain.device: whether Graphics is a GPU = it is (line 53, column 11: its definition says no puType; its name does)
            ? chain.tasks: waiting for the GPU = suspend (AMALTHEA does not say what a core does while a task waits for the GPU)
            ? chain.tasks: time of label accesses of the host = none of its own (what cores read and write is taken to be part of their ticks)
        "#]],
    );
}

#[test]
fn execution_needs_and_copies_by_a_task_of_the_host() {
    check(
        FILES[3],
        expect![[r#"
            version 0.9.2
            core Core 100000000 Hz
            kernel See 9000000 cycles, 4 x 1024
            Drive on Core, 25000000 ns within 25000000: 110000 ticks, 1000000 B in, See, 375 B out
            ? chain.device: the GPU = jetson-tx2 (AMALTHEA does not say what a GPU can hold; the model calls it Video)
            ? chain.machine: its multiprocessors = cc-6.2 (AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles)
            ? chain.clock: the GPU's clock = 1300000000 Hz (no frequency in the model)
            ? chain.tasks[0]: instructions of Drive in a tick of Video = 1 (line 32, column 7: neither the unit's definition nor its features say so)
            ? chain.kernels[0]: blocks and threads of See = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the default device in one wave, so that the kernel alone takes what the model says)
            ? chain.tasks: waiting for the GPU = suspend (AMALTHEA does not say what a core does while a task waits for the GPU)
            ? chain.tasks: time of label accesses of the host = none of its own (what cores read and write is taken to be part of their ticks)
        "#]],
    );
}

#[test]
fn ticks_without_a_mapping() {
    check(
        FILES[4],
        expect![[r#"
            version 1.0.0
            core c0 500000000 Hz
            core c1 500000000 Hz
            kernel G1 7000 cycles, 4 x 1024
            kernel K 7000 cycles, 4 x 1024
            kernel K2 8000 cycles, 4 x 1024
            kernel Own 7000 cycles, 4 x 1024
            Host/A on c0, 1000000 ns within 1000000: 450 ticks, 500 B in, G1, 9 B out, 500 B in, K, K2
            Own on c1, 20000000 ns within 20000000: 500 B in, Own, 9 B out
            ? chain.device: the GPU = jetson-tx2 (AMALTHEA does not say what a GPU can hold; the model calls it g0)
            ? chain.machine: its multiprocessors = cc-6.2 (AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles)
            ? chain.kernels[0]: blocks and threads of G1 = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the default device in one wave, so that the kernel alone takes what the model says)
            ? chain.kernels[1]: blocks and threads of K = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the default device in one wave, so that the kernel alone takes what the model says)
            ? chain.kernels[2]: blocks and threads of K2 = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the default device in one wave, so that the kernel alone takes what the model says)
            ? chain.tasks[0].core: its core = c0 (no allocation; of 2 cores the one with the least to do so far)
            ? chain.kernels[3]: blocks and threads of Own = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the default device in one wave, so that the kernel alone takes what the model says)
            ? chain.tasks[1].core: who launches it = c1 (it is a task of the GPU that no other task activates; a core launches it)
            ? chain.tasks: waiting for the GPU = suspend (AMALTHEA does not say what a core does while a task waits for the GPU)
            ? chain.tasks: time of label accesses of the host = none of its own (what cores read and write is taken to be part of their ticks)
        "#]],
    );
}

#[test]
fn loops_stimuli_and_distributions() {
    check(
        FILES[5],
        expect![[r#"
            version 2.1.0
            core Core 200000000 Hz EDF
            kernel Kernel 70000 cycles, 4 x 1024
            Loop on Core, 1535353 ns within 1535353: 390 ticks
            Burst on Core, 4000000 ns within 4000000: 30 ticks
            Once on Core, 4000000 ns within 4000000: 30 ticks
            Odd on Core, 3000000 ns within 3000000: 14302 ticks, Kernel
            ? chain.device: the GPU = jetson-tx2 (AMALTHEA does not say what a GPU can hold; the model calls it GPU)
            ? chain.machine: its multiprocessors = cc-6.2 (AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles)
            ? chain.tasks[0]: how often a loop of Loop turns = once (line 11, column 9: the format has no count; a custom property loopBound of the loop says it)
            ? chain.tasks[0]: the label "lost", which Loop names = left out (line 34, column 9: the reference leads nowhere in this file)
            ? chain.tasks[0].period: the period of Loop = 1.535353 ms (Jittery has jitter, which shortens the least time between activations; 2 sources activate it; their rates are added up)
            ? chain.tasks[1]: the label "lost", which Burst names = left out (line 34, column 9: the reference leads nowhere in this file)
            ? chain.tasks[1].period: the period of Burst = 4 ms (Three comes 3 times a period, taken at its least distance)
            ? chain.tasks[2]: whether Once waits for a server = it does (line 22, column 22: the call is asynchronous; to wait is the worse case)
            ? chain.tasks[2]: the label "lost", which Once names = left out (line 34, column 9: the reference leads nowhere in this file)
            ? chain.tasks[2].period: the period of Once = 4 ms (First comes once; the longest period of the model, or 100 ms)
            ? chain.tasks[3]: the most that work of Odd takes = 5302 ticks, the mean and three standard deviations (line 26, column 9: the distribution has no upper bound, so that this is no worst case)
            ? chain.kernels[0]: blocks and threads of Kernel = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the default device in one wave, so that the kernel alone takes what the model says)
            ? chain.tasks[3].period: the period of Odd = 3 ms (Stamps comes 3 times a period, taken at its least distance)
            ? chain.tasks: waiting for the GPU = suspend (AMALTHEA does not say what a core does while a task waits for the GPU)
            ? chain.tasks: time of label accesses of the host = none of its own (what cores read and write is taken to be part of their ticks)
            ! line 52, column 55: 0.0333333333337 GHz is rounded down, to 33333333 Hz
            - Amalthea/swModel/tasks/activityGraph/items (Invented): 1, first at line 15, column 9
            - Amalthea/swModel/events: 1, first at line 42, column 5
            - Amalthea/stimuliModel/stimuli/burstLength: 1, first at line 66, column 41
        "#]],
    );
}

#[test]
fn memories_say_whose_a_label_is() {
    check(
        FILES[6],
        expect![[r#"
            version 3.1.0
            core core 1000000000 Hz
            kernel Dev 123456 cycles, 4 x 1024
            Front on core, 16666000 ns within 16666000 rank 2: 120000 ticks, 2097152 B in, Dev, 10000 B out
            Back on core, 16666000 ns within 16666000 rank 1: 120000 ticks
            ? chain.device: the GPU = jetson-tx2 (AMALTHEA does not say what a GPU can hold; the model calls it gpu)
            ? chain.machine: its multiprocessors = cc-6.2 (AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles)
            ? chain.kernels[0]: blocks and threads of Dev = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the default device in one wave, so that the kernel alone takes what the model says)
            ? chain.tasks[1].deadline: the deadline of Back = 16.666 ms (the model requires a response later than the next activation, which is not looked at)
            ? chain.tasks: which priority is the more urgent one = the larger number (AMALTHEA leaves it to the operating system; OSEK and AUTOSAR have it so)
            ? chain.tasks: waiting for the GPU = suspend (AMALTHEA does not say what a core does while a task waits for the GPU)
            ? chain.tasks: time of label accesses of the host = none of its own (what cores read and write is taken to be part of their ticks)
            - Amalthea/osModel/schedulerDefinitions: 1, first at line 57, column 5
        "#]],
    );
}

#[test]
fn teaching() {
    check(
        TEACHING,
        expect![[r#"
            version 0.9.9
            core CPU 1000000000 Hz
            kernel Edges 6500000 cycles, 4 x 1024
            Look on CPU, 40000000 ns within 30000000: 3000000 ticks, 640000 B in, Edges, 80000 B out, 1000000 ticks
            ? chain.device: the GPU = jetson-tx2 (AMALTHEA does not say what a GPU can hold; the model calls it GPU)
            ? chain.machine: its multiprocessors = cc-6.2 (AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles)
            ? chain.kernels[0]: blocks and threads of Edges = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the default device in one wave, so that the kernel alone takes what the model says)
            ? chain.tasks: waiting for the GPU = suspend (AMALTHEA does not say what a core does while a task waits for the GPU)
            ? chain.tasks: time of label accesses of the host = none of its own (what cores read and write is taken to be part of their ticks)
        "#]],
    );
}

#[test]
fn driver_assistance() {
    check(
        DRIVER_ASSISTANCE,
        expect![[r#"
            version 0.9.7
            core A57_0 2000000000 Hz
            core A57_1 2000000000 Hz
            core A57_2 2000000000 Hz
            core A57_3 2000000000 Hz
            core Denver_0 2000000000 Hz
            core Denver_1 2000000000 Hz
            kernel Boxes_on_GPU 39000000 cycles, 4 x 1024
            kernel Lanes_on_GPU 15600000 cycles, 4 x 1024
            kernel Depth_on_GPU 7800000 cycles, 4 x 1024
            kernel Match_kernel 28600000 cycles, 4 x 1024
            kernel Refine_kernel 6500000 cycles, 4 x 1024
            Camera_grabber on A57_1, 33000000 ns within 33000000 rank 1: 6800000 ticks
            Lidar_grabber on A57_3, 33000000 ns within 33000000 rank 1: 20800000 ticks
            Detection_host on A57_2, 200000000 ns within 200000000 rank 2: 4400000 ticks, 1382400 B in, Boxes_on_GPU, 48000 B out, 3800000 ticks
            Lanes_on_host on A57_1, 100000000 ns within 100000000 rank 2: 3600000 ticks, 1382400 B in, Lanes_on_GPU, 16000 B out, 6200000 ticks
            Depth_on_host on Denver_1, 100000000 ns within 100000000 rank 1: 4640000 ticks, 2764800 B in, Depth_on_GPU, 460800 B out, 3680000 ticks
            Localisation_host on Denver_1, 400000000 ns within 400000000 rank 2: 8960000 ticks, 3200000 B in, Match_kernel, Refine_kernel, 2000 B out, 3360000 ticks
            Bus_poll on A57_0, 10000000 ns within 10000000 rank 2: 960000 ticks
            Motion on A57_2, 15000000 ns within 15000000 rank 1: 7200000 ticks
            Planner on Denver_0, 15000000 ns within 15000000 rank 1: 12480000 ticks
            Actuation on A57_0, 5000000 ns within 5000000 rank 1: 2600000 ticks
            ? chain.device: the GPU = jetson-tx2 (AMALTHEA does not say what a GPU can hold; the model calls it GP10B)
            ? chain.machine: its multiprocessors = cc-6.2 (AMALTHEA does not say what one does in a cycle; it is not used where kernels say their cycles)
            ? chain.kernels[0]: blocks and threads of Boxes_on_GPU = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the default device in one wave, so that the kernel alone takes what the model says)
            ? chain.kernels[1]: blocks and threads of Lanes_on_GPU = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the default device in one wave, so that the kernel alone takes what the model says)
            ? chain.kernels[2]: blocks and threads of Depth_on_GPU = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the default device in one wave, so that the kernel alone takes what the model says)
            ? chain.kernels[3]: blocks and threads of Match_kernel = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the default device in one wave, so that the kernel alone takes what the model says)
            ? chain.kernels[4]: blocks and threads of Refine_kernel = 4 blocks of 1,024 threads (AMALTHEA has no grids; these fill the default device in one wave, so that the kernel alone takes what the model says)
            ? chain.tasks: which priority is the more urgent one = the larger number (AMALTHEA leaves it to the operating system; OSEK and AUTOSAR have it so)
            ? chain.tasks: waiting for the GPU = suspend (AMALTHEA does not say what a core does while a task waits for the GPU)
            ? chain.tasks: time of label accesses of the host = none of its own (what cores read and write is taken to be part of their ticks)
            - Amalthea/commonElements/tags: 2, first at line 4, column 5
            - Amalthea/hwModel/definitions/dataRate: 1, first at line 524, column 7
        "#]],
    );
}

#[test]
fn a_part_of_a_model_alone() {
    let software = TEACHING.split_once("<swModel>").and_then(|(_, rest)| rest.split_once("</swModel>"));
    let (software, _) = software.unwrap_or_default();
    let names = "xmlns:xmi=\"a\" xmlns:sw=\"http://www.amalthea.itea2.org/model/1.1.0/sw\" xmlns:xsi=\"b\"";
    let part = format!("<sw:SWModel {names}>{software}</sw:SWModel>");
    check(
        &part,
        expect![[r#"
            version 1.1.0
            core cpu 1000000000 Hz
            Look on cpu, 100000000 ns within 100000000: 4000000 ticks
            Edges on cpu, 100000000 ns within 100000000: 6500000 ticks
            ? chain.cores: the host's cores = one, at 1000000000 Hz (the model has none)
            ? chain.tasks[0]: the stimulus "Picture_is_there", which Look names = left out (line 6, column 9: the reference leads nowhere in this file)
            ? chain.tasks[0].period: the period of Look = 100 ms (the stimulus "Every_40_ms" is not in the model; the longest period of the model, or 100 ms)
            ? chain.tasks[1].period: the period of Edges = 100 ms (the stimulus "Picture_is_there" is not in the model; the longest period of the model, or 100 ms)
            ? chain.tasks: time of label accesses of the host = none of its own (what cores read and write is taken to be part of their ticks)
        "#]],
    );
    let both = |within: &str| format!("<xmi:XMI {names}>{within}</xmi:XMI>");
    assert_eq!(shown(&both(&part)), shown(&part));
}

#[test]
fn documents_are_sound() {
    for text in FILES {
        let read = scenario::read(text);
        assert!(read.is_ok(), "{:?}", read.err());
    }
}
