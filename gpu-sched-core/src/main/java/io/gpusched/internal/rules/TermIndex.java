package io.gpusched.internal.rules;

import io.gpusched.internal.index.TextHash;
import io.gpusched.model.Node;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.NodeSelector.Term;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells which of many terms a node meets by a look at its labels, not at each of the terms. Takes O(requirements + values) to
 * make. Immutable once made.
 */
public final class TermIndex {
    /*
     * Each term is filed under one condition that a node must have a label for: its key alone, or its key and each of the values
     * allowed; of several conditions the one that the fewest other terms have. A node is compared with the terms filed under its
     * labels, and with those that demand no label at all. What one term demands is gone through by its conditions or by the
     * node's labels, whichever are fewer.
     */
    /** A selector of so many requirements and values is as quickly gone through. */
    private static final int SHORT = 16;

    private final List<Filed> unfiled = new ArrayList<>();
    private final Map<String, Shelf> byKey = new HashMap<>();

    /** A term by its place among all: what it demands of the node's name, and of its labels. */
    private record Filed(
            int number, @Nullable LabelCondition name, Map<String, LabelCondition> conditions, int mustBe) {
        boolean accepts(Node node) {
            return (name == null || name.accepts(node.name()))
                    && (conditions.size() <= node.labels().size()
                            ? acceptsEach(node.labels())
                            : acceptsLabels(node.labels()));
        }

        /** For each condition that a node must have a label for, where the term could be filed. */
        List<List<Place>> places() {
            List<List<Place>> places = new ArrayList<>();
            if (name != null) {
                addPlaces(places, NodeRequirement.NAME, name);
            }
            conditions.forEach((key, condition) -> addPlaces(places, key, condition));
            return places;
        }

        private boolean acceptsEach(Map<String, String> labels) {
            for (Map.Entry<String, LabelCondition> condition : conditions.entrySet()) {
                if (!condition.getValue().accepts(labels.get(condition.getKey()))) {
                    return false;
                }
            }
            return true;
        }

        private boolean acceptsLabels(Map<String, String> labels) {
            int met = 0;
            for (Map.Entry<String, String> label : labels.entrySet()) {
                LabelCondition condition = conditions.get(label.getKey());
                if (condition != null) {
                    if (!condition.accepts(label.getValue())) {
                        return false;
                    }
                    met += condition.mustBe() ? 1 : 0;
                }
            }
            return met == mustBe;
        }
    }

    /** A key with one value, or null for any. */
    private record Place(String key, @Nullable String value) {
        @Override
        public int hashCode() {
            return Long.hashCode(TextHash.of(TextHash.of(key), value == null ? "" : value));
        }
    }

    /** The terms filed under one key. */
    private static final class Shelf {
        private final List<Filed> anyValue = new ArrayList<>();
        private final Map<String, List<Filed>> byValue = new HashMap<>();
    }

    private TermIndex(List<Term> terms) {
        List<Filed> all = new ArrayList<>(terms.size());
        Map<Place, Integer> counts = new HashMap<>();
        for (Term term : terms) {
            Filed filed = filed(all.size(), term);
            all.add(filed);
            filed.places().forEach(places -> places.forEach(place -> counts.merge(place, 1, Integer::sum)));
        }
        all.forEach(filed -> file(filed, counts));
    }

    private static Filed filed(int number, Term term) {
        Map<String, LabelCondition> conditions = new HashMap<>();
        for (NodeRequirement requirement : term.requirements()) {
            conditions
                    .computeIfAbsent(requirement.key(), key -> new LabelCondition())
                    .and(requirement);
        }
        LabelCondition name = conditions.remove(NodeRequirement.NAME);
        int mustBe = (int)
                conditions.values().stream().filter(LabelCondition::mustBe).count();
        return new Filed(number, name, conditions, mustBe);
    }

    /** Where a term could be filed for one of its conditions; nowhere if a node need not have the label. */
    private static void addPlaces(List<List<Place>> all, String key, LabelCondition condition) {
        Set<String> allowed = condition.allowed();
        if (allowed != null) {
            all.add(allowed.stream().map(value -> new Place(key, value)).toList());
        } else if (condition.mustBe()) {
            all.add(List.of(new Place(key, null)));
        }
    }

    private void file(Filed filed, Map<Place, Integer> counts) {
        List<Place> best = null;
        long least = Long.MAX_VALUE;
        for (List<Place> places : filed.places()) {
            long others = places.stream()
                    .mapToLong(place -> counts.getOrDefault(place, 0))
                    .sum();
            best = others < least ? places : best;
            least = Math.min(least, others);
        }
        if (best == null) {
            unfiled.add(filed);
        } else {
            best.forEach(place -> file(filed, place));
        }
    }

    private void file(Filed filed, Place place) {
        Shelf shelf = byKey.computeIfAbsent(place.key(), key -> new Shelf());
        String value = place.value();
        (value == null ? shelf.anyValue : shelf.byValue.computeIfAbsent(value, any -> new ArrayList<>())).add(filed);
    }

    static TermIndex of(List<Term> terms) {
        return new TermIndex(terms);
    }

    /** Returns a test of nodes for a selector, however long it is. */
    public static Predicate<Node> test(NodeSelector selector) {
        if (isShort(selector)) {
            return selector::matches;
        }
        TermIndex index = new TermIndex(selector.terms());
        return node -> index.visit(node, number -> true);
    }

    private static boolean isShort(NodeSelector selector) {
        int size = 0;
        for (Term term : selector.terms()) {
            for (NodeRequirement requirement : term.requirements()) {
                size += 1 + requirement.values().size();
                if (size > SHORT) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Calls back with the place of each term that a node meets, in no particular order. */
    void forEachMet(Node node, IntConsumer action) {
        visit(node, number -> {
            action.accept(number);
            return false;
        });
    }

    /** Goes through the terms that a node meets until told to stop; returns whether it was. */
    private boolean visit(Node node, IntPredicate stop) {
        if (isAny(unfiled, node, stop) || isAny(byKey.get(NodeRequirement.NAME), node.name(), node, stop)) {
            return true;
        }
        if (byKey.size() < node.labels().size()) {
            for (Map.Entry<String, Shelf> entry : byKey.entrySet()) {
                String value = node.labels().get(entry.getKey());
                if (value != null && isAny(entry.getValue(), value, node, stop)) {
                    return true;
                }
            }
            return false;
        }
        for (Map.Entry<String, String> label : node.labels().entrySet()) {
            if (isAny(byKey.get(label.getKey()), label.getValue(), node, stop)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAny(@Nullable Shelf shelf, String value, Node node, IntPredicate stop) {
        return shelf != null
                && (isAny(shelf.anyValue, node, stop)
                        || isAny(shelf.byValue.getOrDefault(value, List.of()), node, stop));
    }

    private static boolean isAny(List<Filed> terms, Node node, IntPredicate stop) {
        for (Filed term : terms) {
            if (term.accepts(node) && stop.test(term.number())) {
                return true;
            }
        }
        return false;
    }
}
