package io.gpusched.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** A cluster and its model that go through the same steps. Every snapshot on the way is kept. */
public final class ClusterHistory {
    private final List<Cluster> past = new ArrayList<>();
    private Cluster cluster;
    private ClusterModel model;
    private int born;

    /** Starts with these nodes, on which nothing runs. */
    public ClusterHistory(Collection<Node> nodes) {
        cluster = Cluster.of(nodes);
        model = ClusterModel.of(nodes);
        past.add(cluster);
    }

    /** Starts with these nodes and goes through these steps. */
    public static ClusterHistory of(Collection<Node> nodes, List<Step> steps) {
        ClusterHistory history = new ClusterHistory(nodes);
        steps.forEach(history::go);
        return history;
    }

    public Cluster cluster() {
        return cluster;
    }

    public ClusterModel model() {
        return model;
    }

    /** All snapshots so far, the oldest first. */
    public List<Cluster> past() {
        return past;
    }

    /** Gives a pod a name that no pod had before. */
    public Pod named(Pod pod) {
        return pod.withId(PodId.of("p" + born++));
    }

    /** Takes one step. */
    public void go(Step step) {
        if (step instanceof Step.GoBack back) {
            cluster = pick(past, back.pick());
            model = ClusterModel.of(cluster);
        } else if (step instanceof Step.Batch batch) {
            Batch changes = new Batch(cluster.batch());
            batch.steps().forEach(one -> take(one, changes));
            cluster = changes.batch.build();
        } else {
            take(step, new Snapshots());
        }
        past.add(cluster);
    }

    /** Places a pod. */
    public void place(Placement placement) {
        cluster = cluster.with(placement);
        model.place(placement);
        past.add(cluster);
    }

    /** Where a step is taken: in a batch, or from one snapshot to the next. */
    private interface Changes {
        void place(Placement placement);

        void release(PodId pod);

        void add(Node node);

        void replace(Node node);

        void remove(String node);

        void cordon(String node, boolean cordoned);

        void health(String node, int gpu, boolean healthy);
    }

    private final class Snapshots implements Changes {
        @Override
        public void place(Placement placement) {
            cluster = cluster.with(placement);
        }

        @Override
        public void release(PodId pod) {
            cluster = cluster.without(pod);
        }

        @Override
        public void add(Node node) {
            cluster = cluster.withNode(node);
        }

        @Override
        public void replace(Node node) {
            cluster = cluster.withReplaced(node);
        }

        @Override
        public void remove(String node) {
            cluster = cluster.withoutNode(node);
        }

        @Override
        public void cordon(String node, boolean cordoned) {
            cluster = cluster.withCordoned(node, cordoned);
        }

        @Override
        public void health(String node, int gpu, boolean healthy) {
            cluster = cluster.withGpuHealth(node, gpu, healthy);
        }
    }

    private record Batch(ClusterBatch batch) implements Changes {
        @Override
        public void place(Placement placement) {
            batch.place(placement);
        }

        @Override
        public void release(PodId pod) {
            batch.release(pod);
        }

        @Override
        public void add(Node node) {
            batch.addNode(node);
        }

        @Override
        public void replace(Node node) {
            batch.replaceNode(node);
        }

        @Override
        public void remove(String node) {
            batch.removeNode(node);
        }

        @Override
        public void cordon(String node, boolean cordoned) {
            batch.cordon(node, cordoned);
        }

        @Override
        public void health(String node, int gpu, boolean healthy) {
            batch.gpuHealth(node, gpu, healthy);
        }
    }

    private void take(Step step, Changes changes) {
        if (step instanceof Step.Place place) {
            placementOf(place, model).ifPresent(placement -> {
                changes.place(placement);
                model.place(placement);
            });
        } else if (step instanceof Step.ReleaseById release && !model.pods().isEmpty()) {
            PodId pod = pick(model.pods(), release.pick());
            changes.release(pod);
            model.release(pod);
        } else if (step instanceof Step.ReleaseByPlacement release
                && !model.pods().isEmpty()) {
            PodId pod = pick(model.pods(), release.pick());
            if (changes instanceof Snapshots) {
                cluster = cluster.without(model.placement(pod));
            } else {
                changes.release(pod);
            }
            model.release(pod);
        } else if (step instanceof Step.Join join) {
            Node node = Nodes.named(join.node(), "m" + born++);
            changes.add(node);
            model.add(node);
        } else if (!model.nodes().isEmpty()) {
            takeOnNode(step, changes);
        }
    }

    private void takeOnNode(Step step, Changes changes) {
        if (step instanceof Step.Cordon cordon) {
            String node = pick(model.nodes(), cordon.pick()).name();
            changes.cordon(node, cordon.cordoned());
            model.cordon(node, cordon.cordoned());
        } else if (step instanceof Step.Health health) {
            ModelNode node = pick(model.nodes(), health.node());
            if (node.gpuCount() > 0) {
                int gpu = health.gpu() % node.gpuCount();
                changes.health(node.name(), gpu, health.healthy());
                model.health(node.name(), gpu, health.healthy());
            }
        } else if (step instanceof Step.Leave leave) {
            leave(leave, changes);
        } else if (step instanceof Step.Relabel relabel) {
            Node node = pick(model.nodes(), relabel.pick()).node();
            replace(relabeled(node, relabel.like()), changes);
        } else if (step instanceof Step.ReplaceNode replace) {
            replace(
                    Nodes.named(
                            replace.node(), pick(model.nodes(), replace.pick()).name()),
                    changes);
        }
    }

    private void leave(Step.Leave leave, Changes changes) {
        List<ModelNode> idle = model.nodes().stream()
                .filter(node -> node.placements().isEmpty())
                .toList();
        List<ModelNode> busy = model.nodes().stream()
                .filter(node -> !node.placements().isEmpty())
                .toList();
        if (!busy.isEmpty()) {
            String name = pick(busy, leave.pick()).name();
            assertThatThrownBy(() -> changes.remove(name)).isInstanceOf(PlacementConflictException.class);
        }
        if (!idle.isEmpty() && model.nodes().size() > 1) {
            String name = pick(idle, leave.pick()).name();
            changes.remove(name);
            model.remove(name);
        }
    }

    private static Node relabeled(Node node, Node like) {
        return new Node(
                node.name(),
                node.mode(),
                node.capacity(),
                node.maxPods(),
                like.labels(),
                like.taints(),
                node.topology(),
                node.gpus(),
                node.links(),
                like.cordoned(),
                node.residents());
    }

    private void replace(Node node, Changes changes) {
        if (model.replace(node)) {
            changes.replace(node);
        } else {
            assertThatThrownBy(() -> changes.replace(node)).isInstanceOf(PlacementConflictException.class);
        }
    }

    private Optional<Placement> placementOf(Step.Place place, ClusterModel where) {
        List<Placement> legal = Oracle.placements(where, named(place.pod()));
        return legal.isEmpty() ? Optional.empty() : Optional.of(pick(legal, place.pick()));
    }

    private static <T> T pick(List<T> from, int pick) {
        return from.get(pick % from.size());
    }
}
