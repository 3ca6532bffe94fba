package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupLocality;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Who comes first, over sequences of events: nobody takes what one of higher priority who waits could have had instead. */
class PriorityProperties {
    private static final int NODES = 3;
    private static final int GPUS = 4;

    private Rounds rounds = new Rounds("t9k");
    private Random random = new Random(0);
    private int created;

    @Property(tries = 200)
    void noPod_takesWhatOneOfHigherPriority_couldHaveHad(@ForAll long seed) {
        rounds = new Rounds("t9k");
        random = new Random(seed);
        created = 0;
        for (int n = 0; n < NODES; n++) {
            rounds.api.put(Manifests.t9kNode("n" + n, "xgn", GPUS));
        }
        for (int i = 0; i < 80; i++) {
            step();
            if (random.nextInt(3) == 0) {
                rounds.now += random.nextInt(3_000);
            }
            if (random.nextInt(3) > 0) {
                decide();
            }
        }
    }

    private void step() {
        int kind = random.nextInt(10);
        if (kind < 4) {
            rounds.api.create(prioritized(pod("p" + created++, 1 + random.nextInt(GPUS)), random.nextInt(4)));
        } else if (kind == 4) {
            group(random.nextInt(4));
        } else {
            List<String> names = new ArrayList<>(rounds.api.pods.keySet());
            if (!names.isEmpty()) {
                String name = names.get(random.nextInt(names.size()));
                if (kind < 8) {
                    rounds.api.delete(name);
                } else {
                    rounds.api.relabel(name);
                }
            }
        }
    }

    private void group(int priority) {
        String name = "g" + created++;
        int members = 2 + random.nextInt(4);
        GroupKey key = new GroupKey(GroupVocabulary.T9K, "default", name);
        rounds.api.put(
                new GroupSpec(key, "u", members, Map.of(), GroupLocality.ANYWHERE, "", Optional.of(priority), ""));
        for (int m = 0; m < members; m++) {
            Pod member = Manifests.labelled(pod("p" + created++, 1), T9kDialect.GROUP_NAME, name);
            rounds.api.create(prioritized(member, priority));
        }
    }

    private static Pod pod(String name, int gpus) {
        return Manifests.pod(name, T9kDialect.GPU, String.valueOf(gpus));
    }

    private static Pod prioritized(Pod pod, int priority) {
        return new PodBuilder(pod)
                .editSpec()
                .withPriority(priority)
                .withPreemptionPolicy("Never")
                .endSpec()
                .build();
    }

    private void decide() {
        Decisions decisions = rounds.decide();
        for (Binding binding : decisions.bindings()) {
            assertNobodyWasPassed(binding.pod().object().getSpec().getPriority(), decisions);
        }
        decisions.bindings().forEach(binding -> rounds.api.bind(binding).ifPresent(rounds.untold::add));
    }

    /** Without what was given to lower ones in this moment, those who wait must not fit either. */
    private void assertNobodyWasPassed(int priority, Decisions decisions) {
        Cluster cluster = rounds.state.cluster();
        for (Binding binding : decisions.bindings()) {
            if (binding.pod().object().getSpec().getPriority() <= priority) {
                Placement placement = cluster.placement(binding.pod().id()).orElseThrow();
                cluster = cluster.without(placement);
            }
        }
        int total = 0;
        int widest = 0;
        for (NodeState node : cluster.nodes()) {
            total += node.idleGpus();
            widest = Math.max(widest, node.idleGpus());
        }
        Map<String, Integer> groups = new HashMap<>();
        for (Pod pod : rounds.api.pods.values()) {
            boolean isPlaced = pod.getSpec().getNodeName() != null
                    || cluster.placement(Unit.idOf(pod)).isPresent()
                    || decisions.bindings().stream()
                            .anyMatch(binding -> binding.pod().id().equals(Unit.idOf(pod)));
            String group = Optional.ofNullable(pod.getMetadata().getLabels())
                    .map(labels -> labels.get(T9kDialect.GROUP_NAME))
                    .orElse("");
            if (!isPlaced && pod.getSpec().getPriority() > priority && group.isEmpty()) {
                int asked = Integer.parseInt(pod.getSpec()
                        .getContainers()
                        .get(0)
                        .getResources()
                        .getLimits()
                        .get(T9kDialect.GPU)
                        .getAmount());
                assertThat(widest)
                        .as(
                                "%s of priority %s was passed",
                                pod.getMetadata().getName(), pod.getSpec().getPriority())
                        .isLessThan(asked);
            } else if (!isPlaced && pod.getSpec().getPriority() > priority) {
                groups.merge(group, 1, Integer::sum);
            }
        }
        int idle = total;
        groups.forEach((name, waiting) -> {
            GroupSpec spec = rounds.api.groups.get(new GroupKey(GroupVocabulary.T9K, "default", name));
            if (waiting >= spec.minimum()) {
                assertThat(idle).as("group %s was passed", name).isLessThan(spec.minimum());
            }
        });
    }
}
