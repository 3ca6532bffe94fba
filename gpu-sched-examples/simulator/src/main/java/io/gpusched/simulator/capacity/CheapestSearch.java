package io.gpusched.simulator.capacity;

import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * Which nodes of several kinds to add so that a goal is met at the least price: more nodes are taken not to make it worse, so whatever has
 * no more of any kind than what failed fails too, and is not played. Of all numbers that are not decided and cheaper than the best so far
 * the middle one by price is played next: either the half that is dearer is out, or all that it covers.
 */
public final class CheapestSearch {
    private static final int MOST_CHOICES = 100_000;

    private final CapacityStudy study;
    private final List<Node> nodes;
    private final List<Growth> growths;
    private final Goal goal;
    private final ModelTable models;
    private final int threads;
    private final List<ClusterResult> tried = new ArrayList<>();

    private CheapestSearch(
            CapacityStudy study, List<Node> nodes, List<Growth> growths, Goal goal, ModelTable models, int threads) {
        this.study = study;
        this.nodes = nodes;
        this.growths = growths;
        this.goal = goal;
        this.models = models;
        this.threads = threads;
    }

    /**
     * Nodes by which a cluster may grow.
     *
     * @param most how many at most
     * @param kind their kind
     */
    public record Growth(int most, NodeKind kind) {}

    /** So many nodes of each kind, and what the cluster with them costs an hour. */
    private record Choice(List<Integer> counts, double price) {
        boolean covers(Choice other) {
            for (int i = 0; i < counts.size(); i++) {
                if (counts.get(i) < other.counts.get(i)) {
                    return false;
                }
            }
            return true;
        }

        int nodes() {
            return counts.stream().mapToInt(Integer::intValue).sum();
        }
    }

    /**
     * What was found.
     *
     * @param best the cheapest cluster that meets the goal; empty if even the most nodes do not
     * @param why why it is the cheapest, or how far the goal is missed
     * @param tried what was played, in that order
     */
    public record Answer(Optional<ClusterResult> best, String why, List<ClusterResult> tried) {
        /** Copies the list. */
        public Answer {
            tried = List.copyOf(tried);
        }
    }

    /**
     * Searches.
     *
     * @throws IllegalArgumentException if a kind is not known, has no price, or there are more than 100,000 choices
     */
    public static Answer of(
            CapacityStudy study, List<Node> nodes, List<Growth> growths, Goal goal, ModelTable models, int threads) {
        return new CheapestSearch(study, nodes, growths, goal, models, threads).search();
    }

    private Answer search() {
        List<Choice> open = choices();
        Choice most = open.get(open.size() - 1);
        ClusterResult best = played(most);
        if (!goal.holds(best)) {
            return new Answer(
                    Optional.empty(), "even with " + name(most) + " it is not met: " + goal.words(best), tried);
        }
        double price = most.price();
        open.remove(most);
        while (!open.isEmpty()) {
            Choice next = open.get((open.size() - 1) / 2);
            ClusterResult result = played(next);
            if (goal.holds(result)) {
                best = result;
                price = next.price();
                open = new ArrayList<>(open.subList(0, (open.size() - 1) / 2));
            } else {
                open.removeIf(next::covers);
            }
        }
        return new Answer(
                Optional.of(best),
                String.format(
                        java.util.Locale.ROOT,
                        "%s meets it for %,.2f an hour: %s; no choice that costs less does",
                        best.name(),
                        price,
                        goal.words(best)),
                tried);
    }

    /** Returns all choices by price, those of fewer nodes first where it is the same. */
    private List<Choice> choices() {
        double now = models.pricePerHour(nodes);
        List<Choice> choices = List.of(new Choice(List.of(), now));
        for (Growth growth : growths) {
            List<Node> one = growth.kind().nodes(nodes, 1);
            one.forEach(
                    node -> node.gpus().forEach(gpu -> checkPrice(gpu.model().name())));
            double price = models.pricePerHour(one);
            if ((long) choices.size() * (growth.most() + 1) > MOST_CHOICES) {
                throw new IllegalArgumentException("these kinds of nodes make more than " + MOST_CHOICES
                        + " choices\nMaybe allow fewer nodes of each.");
            }
            List<Choice> more = new ArrayList<>();
            for (Choice choice : choices) {
                for (int count = 0; count <= growth.most(); count++) {
                    List<Integer> counts = new ArrayList<>(choice.counts());
                    counts.add(count);
                    more.add(new Choice(List.copyOf(counts), choice.price() + count * price));
                }
            }
            choices = more;
        }
        List<Choice> sorted = new ArrayList<>(choices);
        sorted.sort(Comparator.comparingDouble(Choice::price).thenComparingInt(Choice::nodes));
        return sorted;
    }

    private void checkPrice(String model) {
        if (!models.prices().containsKey(model)) {
            throw new IllegalArgumentException(
                    "the price of \"" + model + "\" is not known\nMaybe add it to --models.");
        }
    }

    private ClusterResult played(Choice choice) {
        List<Node> grown = new ArrayList<>(nodes);
        for (int i = 0; i < growths.size(); i++) {
            grown.addAll(growths.get(i).kind().nodes(nodes, choice.counts().get(i)));
        }
        Map<String, List<Node>> one = new LinkedHashMap<>();
        one.put(name(choice), grown);
        ClusterResult result = study.play(one, threads).get(0);
        tried.add(result);
        return result;
    }

    private String name(Choice choice) {
        StringJoiner name = new StringJoiner(",");
        for (int i = 0; i < growths.size(); i++) {
            if (choice.counts().get(i) > 0 || growths.size() == 1) {
                name.add("+" + choice.counts().get(i) + "@" + growths.get(i).kind());
            }
        }
        return name.length() == 0 ? "+0" : name.toString();
    }
}
