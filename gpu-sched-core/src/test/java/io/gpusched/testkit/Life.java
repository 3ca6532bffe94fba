package io.gpusched.testkit;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** A cluster and its model that go through the same steps. Every snapshot on the way is kept. */
public final class Life {
    private final List<Cluster> past = new ArrayList<>();
    private Cluster cluster;
    private ClusterModel model;
    private int born;

    /** Starts with these nodes, on which nothing runs. */
    public Life(Collection<Node> nodes) {
        cluster = Cluster.of(nodes);
        model = ClusterModel.of(nodes);
        past.add(cluster);
    }

    /** Starts with these nodes and goes through these steps. */
    public static Life of(Collection<Node> nodes, List<Step> steps) {
        Life life = new Life(nodes);
        steps.forEach(life::go);
        return life;
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
        if (step instanceof Step.Place place) {
            placementOf(place, model).ifPresent(this::apply);
        } else if (step instanceof Step.ReleaseById release && !model.pods().isEmpty()) {
            PodId pod = pick(model.pods(), release.pick());
            cluster = cluster.without(pod);
            model.release(pod);
        } else if (step instanceof Step.ReleaseByPlacement release
                && !model.pods().isEmpty()) {
            PodId pod = pick(model.pods(), release.pick());
            cluster = cluster.without(model.placement(pod));
            model.release(pod);
        } else if (step instanceof Step.Cordon cordon) {
            String node = pick(model.nodes(), cordon.pick()).name();
            cluster = cluster.withCordoned(node, cordon.cordoned());
            model.cordon(node, cordon.cordoned());
        } else if (step instanceof Step.Health health) {
            health(health);
        } else if (step instanceof Step.Batch batch) {
            batch(batch);
        } else if (step instanceof Step.GoBack back) {
            goTo(pick(past, back.pick()));
        } else {
            changeNodes(step);
        }
        past.add(cluster);
    }

    /** Places a pod. */
    public void place(Placement placement) {
        apply(placement);
        past.add(cluster);
    }

    private void goTo(Cluster other) {
        cluster = other;
        model = ClusterModel.of(cluster);
    }

    private void changeNodes(Step step) {
        if (step instanceof Step.Relabel relabel && !model.nodes().isEmpty()) {
            Node node = pick(model.nodes(), relabel.pick()).node();
            Node like = relabel.like();
            goTo(cluster.withReplaced(new Node(
                    node.name(),
                    node.mode(),
                    node.capacity(),
                    node.maxPods(),
                    like.labels(),
                    like.taints(),
                    node.topology(),
                    node.gpus(),
                    like.cordoned())));
        } else if (step instanceof Step.Join join) {
            goTo(cluster.withNode(Nodes.named(join.node(), "m" + born++)));
        } else if (step instanceof Step.Leave leave) {
            List<ModelNode> idle = model.nodes().stream()
                    .filter(node -> node.placements().isEmpty())
                    .toList();
            if (!idle.isEmpty() && model.nodes().size() > 1) {
                goTo(cluster.withoutNode(pick(idle, leave.pick()).name()));
            }
        }
    }

    private void apply(Placement placement) {
        cluster = cluster.with(placement);
        model.place(placement);
    }

    private void health(Step.Health health) {
        ModelNode node = pick(model.nodes(), health.node());
        if (node.gpuCount() > 0) {
            int gpu = health.gpu() % node.gpuCount();
            cluster = cluster.withGpuHealth(node.name(), gpu, health.healthy());
            model.health(node.name(), gpu, health.healthy());
        }
    }

    private void batch(Step.Batch steps) {
        ClusterBatch batch = cluster.batch();
        for (Step step : steps.steps()) {
            if (step instanceof Step.Place place) {
                placementOf(place, model).ifPresent(placement -> {
                    batch.place(placement);
                    model.place(placement);
                });
            } else if (step instanceof Step.ReleaseById release && !model.pods().isEmpty()) {
                PodId pod = pick(model.pods(), release.pick());
                batch.release(pod);
                model.release(pod);
            }
        }
        cluster = batch.build();
    }

    private Optional<Placement> placementOf(Step.Place place, ClusterModel where) {
        List<Placement> legal = Oracle.placements(where, named(place.pod()));
        return legal.isEmpty() ? Optional.empty() : Optional.of(pick(legal, place.pick()));
    }

    private static <T> T pick(List<T> from, int pick) {
        return from.get(pick % from.size());
    }
}
