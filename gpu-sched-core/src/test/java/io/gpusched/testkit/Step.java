package io.gpusched.testkit;

import io.gpusched.model.Node;
import io.gpusched.workload.Pod;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** One step of a random history of a cluster. The picks choose among what is there at the time, modulo their number. */
public sealed interface Step {
    /** Places a pod in one of all legal ways, if there is any. */
    record Place(Pod pod, int pick) implements Step {}

    /** Releases a pod by its name. */
    record ReleaseById(int pick) implements Step {}

    /** Releases a pod by its placement. */
    record ReleaseByPlacement(int pick) implements Step {}

    /** Cordons a node or takes the cordon back. */
    record Cordon(int pick, boolean cordoned) implements Step {}

    /** Makes a GPU unhealthy or healthy. */
    record Health(int node, int gpu, boolean healthy) implements Step {}

    /** Places and releases several pods in one batch. */
    record Batch(List<Step> steps) implements Step {}

    /** Puts another machine in the place of a node, if what runs there goes with it. */
    record ReplaceNode(int pick, Node node) implements Step {}

    /** Goes back to an older snapshot. */
    record GoBack(int pick) implements Step {}

    /** Gives a node the labels and taints of another. */
    record Relabel(int pick, Node like) implements Step {}

    /** Adds a node. */
    record Join(Node node) implements Step {}

    /** Takes away a node on which nothing runs. */
    record Leave(int pick) implements Step {}

    /** Steps that change what nodes there are, or what they are. */
    static Arbitrary<Step> nodeSteps() {
        Arbitrary<Integer> picks = Arbitraries.integers().between(0, 999);
        Arbitrary<Step> relabel = Combinators.combine(picks, Nodes.nodes()).as(Relabel::new);
        return Arbitraries.oneOf(relabel, Nodes.nodes().map(Join::new), picks.map(Leave::new));
    }

    /** Steps of every kind, of these pods, and with nodes like these that come, go and change; batches hold all of them. */
    static Arbitrary<Step> steps(Arbitrary<Pod> pods, Arbitrary<Node> nodes) {
        Arbitrary<Integer> picks = Arbitraries.integers().between(0, 999);
        Arbitrary<Step> ofNodes =
                Arbitraries.oneOf(nodeSteps(), Combinators.combine(picks, nodes).as(ReplaceNode::new));
        Arbitrary<Step> others = steps(pods);
        Arbitrary<Step> batch = Arbitraries.frequencyOf(Tuple.of(3, others), Tuple.of(2, ofNodes))
                .filter(step -> !(step instanceof Batch) && !(step instanceof GoBack))
                .list()
                .ofMaxSize(6)
                .map(Batch::new);
        return Arbitraries.frequencyOf(Tuple.of(6, others), Tuple.of(3, ofNodes), Tuple.of(1, batch));
    }

    /** Steps of every kind, of these pods. */
    static Arbitrary<Step> steps(Arbitrary<Pod> pods) {
        Arbitrary<Integer> picks = Arbitraries.integers().between(0, 999);
        Arbitrary<Step> place = Combinators.combine(pods, picks).as(Place::new);
        Arbitrary<Step> release = Arbitraries.oneOf(picks.map(ReleaseById::new), picks.map(ReleaseByPlacement::new));
        Arbitrary<Step> batch = Arbitraries.frequencyOf(Tuple.of(3, place), Tuple.of(1, picks.map(ReleaseById::new)))
                .list()
                .ofMaxSize(5)
                .map(Batch::new);
        Arbitrary<Step> cordon =
                Combinators.combine(picks, Arbitraries.of(true, false)).as(Cordon::new);
        Arbitrary<Step> health =
                Combinators.combine(picks, picks, Arbitraries.of(true, false)).as(Health::new);
        return Arbitraries.frequencyOf(
                Tuple.of(12, place),
                Tuple.of(4, release),
                Tuple.of(1, batch),
                Tuple.of(1, cordon),
                Tuple.of(1, health),
                Tuple.of(1, picks.map(GoBack::new)));
    }
}
