package io.gpusched.manifests.view;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Orders levels of a topology from wide to narrow by where nodes stand: each domain of a level must lie within one domain of
 * every wider level, or outside of all of them, so that it is one domain and not several.
 *
 * <p>Where nodes stand is given as a map for each node, from level to the name of its domain, such as its labels. A node without
 * an entry, or with a blank one, stands in no domain of that level. Costs O(nodes · levels + places · levels²), where nodes that
 * stand in the same domain of every level are one place.
 */
public final class LevelOrder {
    private LevelOrder() {}

    /**
     * A domain that would fall apart if one level stood above another.
     *
     * @param level the level of the domain
     * @param domain its name
     * @param wider the level above
     * @param first the name of one domain of it in which nodes of the domain stand; empty for none
     * @param second the name of another; empty for none
     */
    public record Split(String level, String domain, String wider, String first, String second) {
        /** Checks that nothing is missing. */
        public Split {
            Objects.requireNonNull(level, "level");
            Objects.requireNonNull(domain, "domain");
            Objects.requireNonNull(wider, "wider");
            Objects.requireNonNull(first, "first");
            Objects.requireNonNull(second, "second");
        }

        @Override
        public String toString() {
            return level + " \"" + domain + "\" lies in " + wider + " \"" + first + "\" and in "
                    + (second.isEmpty() ? "none" : "\"" + second + "\"");
        }
    }

    /**
     * Returns the levels from wide to narrow, or nothing if no order keeps all their domains whole. Of levels that may stand in
     * either order, that with fewer domains is the wider one; of equal ones that which was named first.
     */
    public static Optional<List<String>> of(Collection<Map<String, String>> nodes, Collection<String> levels) {
        Objects.requireNonNull(nodes, "nodes");
        Objects.requireNonNull(levels, "levels");
        Collection<Map<String, String>> places = places(nodes, levels);
        Map<String, Integer> counts = new LinkedHashMap<>();
        levels.forEach(level -> counts.put(level, domains(places, level)));
        List<String> left = new ArrayList<>(counts.keySet());
        left.sort(Comparator.comparing(counts::get));
        List<String> order = new ArrayList<>();
        while (!left.isEmpty()) {
            Optional<String> widest = left.stream()
                    .filter(wide -> left.stream()
                            .allMatch(narrow -> narrow.equals(wide)
                                    || split(places, wide, narrow).isEmpty()))
                    .findFirst();
            if (widest.isEmpty()) {
                return Optional.empty();
            }
            order.add(widest.get());
            left.remove(widest.get());
        }
        return Optional.of(List.copyOf(order));
    }

    /** Where nodes stand, each place once. */
    private static Collection<Map<String, String>> places(
            Collection<Map<String, String>> nodes, Collection<String> levels) {
        // by one text, for maps of texts that have one hash would all be compared with each other
        Map<String, Map<String, String>> places = new LinkedHashMap<>();
        for (Map<String, String> node : nodes) {
            Map<String, String> place = new HashMap<>();
            StringBuilder text = new StringBuilder();
            for (String level : levels) {
                String domain = domain(node, level);
                place.put(level, domain);
                text.append(domain.length()).append(':').append(domain);
            }
            places.putIfAbsent(text.toString(), place);
        }
        return places.values();
    }

    /** Returns the first domain, in the order of the nodes, that falls apart if one level stands above another. */
    public static Optional<Split> split(Collection<Map<String, String>> nodes, String wide, String narrow) {
        Objects.requireNonNull(nodes, "nodes");
        Objects.requireNonNull(wide, "wide");
        Objects.requireNonNull(narrow, "narrow");
        Map<String, String> around = new HashMap<>();
        for (Map<String, String> node : nodes) {
            String domain = domain(node, narrow);
            String here = domain(node, wide);
            String there = domain.isEmpty() ? null : around.putIfAbsent(domain, here);
            if (there != null && !there.equals(here)) {
                boolean known = !there.isEmpty();
                return Optional.of(new Split(narrow, domain, wide, known ? there : here, known ? here : there));
            }
        }
        return Optional.empty();
    }

    private static int domains(Collection<Map<String, String>> nodes, String level) {
        Collection<String> names = new HashSet<>();
        nodes.forEach(node -> names.add(domain(node, level)));
        names.remove("");
        return names.size();
    }

    private static String domain(Map<String, String> node, String level) {
        String name = node.getOrDefault(level, "");
        return name.isBlank() ? "" : name;
    }
}
