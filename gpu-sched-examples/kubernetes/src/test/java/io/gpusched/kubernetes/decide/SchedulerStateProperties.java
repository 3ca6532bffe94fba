package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Bookings;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What holds of pods and groups in every {@link ClusterHistory}. */
class SchedulerStateProperties {
    private static final GroupKey GANG = new GroupKey(GroupVocabulary.KUBERNETES, "default", "gang");

    private ClusterHistory history = new ClusterHistory(0);
    private FakeApi api = history.api;

    /** jqwik uses one instance of this class for all tries; each has a history of its own. */
    private void start(long seed) {
        history = new ClusterHistory(seed);
        api = history.api;
    }

    @Property(tries = 200)
    void whateverHappens_noGpuIsGivenTwice_andInTheEndEveryPodThatFitsIsBound(@ForAll long seed) {
        start(seed);
        liveThrough();
    }

    private void liveThrough() {
        api.put(Manifests.t9kNode("whole", "xgn", 4));
        api.put(Manifests.t9kNode("shared", "sgn", 2));
        for (int i = 0; i < 120; i++) {
            history.step(history.random.nextInt(20));
            assertThat(Bookings.overbooked(List.copyOf(api.pods.values()))).isEmpty();
        }
        history.settle();
        history.state.cluster().validate();
        assertThat(Bookings.overbooked(List.copyOf(api.pods.values()))).isEmpty();
        assertThat(waiting().filter(this::fits).map(pod -> pod.getMetadata().getName()))
                .as("pods that fit and are not bound")
                .isEmpty();
        assertThat(api.bindings).as("bindings written").isLessThanOrEqualTo(history.created);
        assertThat(history.state.bindingCount()).isZero();
    }

    private Stream<Pod> waiting() {
        return api.pods.values().stream().filter(pod -> pod.getSpec().getNodeName() == null);
    }

    /** By hand: what is left of each GPU by the annotations alone. */
    private boolean fits(Pod pod) {
        Map<String, Integer> held = Bookings.computeByGpu(List.copyOf(api.pods.values()));
        var limits = pod.getSpec().getContainers().get(0).getResources().getLimits();
        for (var node : api.nodes.values()) {
            String name = node.getMetadata().getName();
            boolean shared = name.equals("shared");
            int gpus = Integer.parseInt(node.getMetadata().getLabels().get("nvidia.com/gpu.count"));
            if (held.containsKey(name + "/all")) {
                continue;
            }
            List<Integer> left = new ArrayList<>();
            for (int gpu = 0; gpu < gpus; gpu++) {
                left.add(1_000 - held.getOrDefault(name + "/" + name + "-gpu-" + gpu, 0));
            }
            long idle = left.stream().filter(free -> free == 1_000).count();
            boolean empty = api.pods.values().stream()
                    .noneMatch(other -> name.equals(other.getSpec().getNodeName()));
            if (!shared && limits.containsKey(T9kDialect.GPU)) {
                if (idle >= Integer.parseInt(limits.get(T9kDialect.GPU).getAmount())) {
                    return true;
                }
            } else if (!shared && limits.containsKey(T9kDialect.GPU_NODE)) {
                if (empty) {
                    return true;
                }
            } else if (shared && limits.containsKey(T9kDialect.GPU_PERCENT)) {
                int asked = Integer.parseInt(limits.get(T9kDialect.GPU_PERCENT).getAmount()) * 10;
                if (left.stream().anyMatch(free -> free >= asked)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Property(tries = 100)
    void aGroup_isWholeOrUntouched_howeverOftenTheSchedulerIsKilled(@ForAll long seed) {
        start(seed);
        placeGroup();
    }

    private void placeGroup() {
        Random random = history.random;
        int minimum = 2 + random.nextInt(4);
        api.put(Manifests.t9kNode("whole", "xgn", 1 + random.nextInt(6)));
        api.put(new GroupSpec(GANG, "u", minimum, Map.of(), GroupLocality.ANYWHERE, "", Optional.empty(), ""));
        for (int i = 0; i < 6; i++) {
            api.create(member("m" + i));
            history.created++;
            if (random.nextBoolean()) {
                history.create(T9kDialect.GPU, 1);
            }
        }
        for (int i = 0; i < 60; i++) {
            int kind = random.nextInt(10);
            if (kind < 3) {
                history.write();
            } else if (kind == 3) {
                history.kill();
            } else if (kind == 4) {
                history.step(12 + random.nextInt(3));
            } else {
                history.tell(random.nextInt(8));
                history.decide();
            }
            history.pass(random.nextInt(30));
        }
        history.settle();
        long placed = api.pods.values().stream()
                .filter(pod -> pod.getSpec().getSchedulingGroup() != null
                        && pod.getSpec().getNodeName() != null)
                .count();
        assertThat(placed == 0 || placed >= minimum)
                .as("%d of a group of at least %d run", placed, minimum)
                .isTrue();
        assertThat(Bookings.overbooked(List.copyOf(api.pods.values()))).isEmpty();
    }

    /** Every pair of moments between writes of a run in which a group, whole GPUs and shares are asked for. */
    @Example
    void killedTwice_betweenAnyWrites_theRestIsBound_andNothingTwice() {
        int all = 8;
        for (int first = 0; first <= all; first++) {
            for (int second = first; second <= all; second++) {
                start(0);
                killAt(first, second);
                assertThat(api.bindings)
                        .as("bindings, killed after %d and %d", first, second)
                        .isEqualTo(all);
                assertThat(Bookings.overbooked(List.copyOf(api.pods.values()))).isEmpty();
            }
        }
    }

    /** Six whole GPUs and one shared, of which eight pods take all; two more find nothing. */
    private void killAt(int first, int second) {
        api.put(Manifests.t9kNode("whole", "xgn", 6));
        api.put(Manifests.t9kNode("shared", "sgn", 1));
        api.put(new GroupSpec(GANG, "u", 4, Map.of(), GroupLocality.ANYWHERE, "", Optional.empty(), ""));
        for (int i = 0; i < 4; i++) {
            api.create(member("m" + i));
        }
        history.create("w0", T9kDialect.GPU, 1);
        history.create("w1", T9kDialect.GPU, 1);
        history.create("w2", T9kDialect.GPU_NODE, 1);
        history.create("s0", T9kDialect.GPU_PERCENT, 60);
        history.create("s1", T9kDialect.GPU_PERCENT, 40);
        history.create("s2", T9kDialect.GPU_PERCENT, 1);
        for (int kill : new int[] {first, second, Integer.MAX_VALUE}) {
            for (int i = 0; i < 40 && api.bindings < kill; i++) {
                history.tell(Integer.MAX_VALUE);
                history.decide();
                history.write();
                history.pass(50);
            }
            history.kill();
        }
        history.settle();
    }

    private static Pod member(String name) {
        return new PodBuilder(Manifests.pod(name, T9kDialect.GPU, "1"))
                .editSpec()
                .withNewSchedulingGroup("gang")
                .endSpec()
                .build();
    }
}
