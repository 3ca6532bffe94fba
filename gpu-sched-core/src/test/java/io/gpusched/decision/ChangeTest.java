package io.gpusched.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Change.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangeTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            UNCORDON           | -1 | 0   |            | uncordon n1
            RELEASE_HOLDER     | -1 | 0   | demo/train | release pod "demo/train", which holds all of n1
            RELEASE_POD        | -1 | 0   | train      | release pod "train" on n1
            RELEASE_ANY_POD    | -1 | 0   |            | one pod less on n1
            EMPTY_NODE         | -1 | 1   |            | empty n1 (1 pod runs there)
            EMPTY_NODE         | -1 | 2   |            | empty n1 (2 pods run there)
            FREE_GPUS          | -1 | 0   |            | free the GPUs of n1
            FREE_CPU           | -1 | 500 |            | free 500m CPU on n1
            FREE_MEMORY        | -1 | 64  |            | free 64 MiB of memory on n1
            FREE_RESOURCE      | -1 | 2   | rdma/hca   | free 2 rdma/hca on n1
            FREE_GPU           | 3  | 0   |            | free gpu 3 of n1, which one pod holds whole
            FREE_GPU_COMPUTE   | 3  | 250 |            | free 250m of compute on gpu 3 of n1
            FREE_GPU_MEMORY    | 0  | 64  |            | free 64 MiB of GPU memory on gpu 0 of n1
            FREE_GPU_SLOTS     | 0  | 2   |            | free 2 of the slots on gpu 0 of n1
            IDLE_GPUS          | -1 | 1   | has 2 of 3 | 1 more idle GPU on n1 (has 2 of 3)
            IDLE_GPUS          | -1 | 3   | has 0 of 3 | 3 more idle GPUs on n1 (has 0 of 3)
            REPAIR_GPU         | 7  | 0   |            | repair gpu 7 of n1
            TOLERATE_TAINT     | -1 | 0   | a=b:NoSchedule | tolerate taint a=b:NoSchedule of n1
            ACCEPT_LABELS      | -1 | 0   |            | accept the labels of n1
            SPREAD_GROUP       | -1 | 0   | rack       | let the group use more than one rack
            ADD_NODE           | -1 | 0   | 4 cores    | add a node with 4 cores
            ADD_NODE           | -1 | 1   | 4 cores    | add a node with 4 cores
            ADD_NODE           | -1 | 3   | 4 cores    | add 3 nodes, each with 4 cores
            CHOOSE_LEVEL       | -1 | 0   | rack, zone | ask for a topology level that nodes have: rack, zone
            RAISE_QUOTA        | -1 | 0   | more       | more
            """)
    void aChange_isSaidInWords(Kind kind, int gpu, long amount, String what, String words) {
        assertThat(new Change(kind, "n1", gpu, amount, what == null ? "" : what))
                .hasToString(words);
    }

    @Test
    void noTwoKinds_areSaidAlike() {
        Set<String> words = new HashSet<>();
        for (Kind kind : Kind.values()) {
            String text = new Change(kind, "node-1", 5, 3, "something").toString();
            assertThat(text).as("%s", kind).isNotBlank();
            assertThat(words.add(text))
                    .as("%s is said like another: %s", kind, text)
                    .isTrue();
        }
    }

    @Test
    void aRemedy_joinsItsChanges_andCopiesThem() {
        List<Change> changes =
                new ArrayList<>(List.of(Change.of(Kind.UNCORDON, "n1"), Change.onGpu(Kind.REPAIR_GPU, "n1", 2, 0)));
        Remedy remedy = new Remedy(changes);
        changes.clear();

        assertThat(remedy).hasToString("uncordon n1 and repair gpu 2 of n1");
        assertThat(new Remedy(List.of())).hasToString("");
    }

    @ParameterizedTest
    @CsvSource({"8, 'gpu 7 of n'", "9, ' and 1 more change'", "20, ' and 12 more changes'"})
    void aLongRemedy_endsWithTheNumberOfChangesThatAreNotSaid(int size, String end) {
        List<Change> changes = new ArrayList<>();
        for (int gpu = 0; gpu < size; gpu++) {
            changes.add(Change.onGpu(Kind.REPAIR_GPU, "n", gpu, 0));
        }

        assertThat(new Remedy(changes).toString()).endsWith(end);
        assertThat(new Remedy(changes).changes()).hasSize(size);
    }

    @Test
    void shortForms_leaveTheRestEmpty() {
        assertThat(Change.of(Kind.FREE_CPU, "n", 5)).isEqualTo(new Change(Kind.FREE_CPU, "n", -1, 5, ""));
        assertThat(Change.of(Kind.RELEASE_POD, "n", "p")).isEqualTo(new Change(Kind.RELEASE_POD, "n", -1, 0, "p"));
        assertThat(Change.of(Kind.UNCORDON, "n")).isEqualTo(new Change(Kind.UNCORDON, "n", -1, 0, ""));
        assertThat(Change.onGpu(Kind.FREE_GPU, "n", 4, 1)).isEqualTo(new Change(Kind.FREE_GPU, "n", 4, 1, ""));
    }
}
