package io.gpusched;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The groups of more than two top-level classes in which each uses each other, directly or through others; nested classes
 * count as part of the class around them. Found in the bytecode by Tarjan's algorithm ("Depth-First Search and Linear Graph
 * Algorithms", 1972).
 */
final class ClassKnots {
    private static final int ALLOWED = 2;

    private final Map<String, Set<String>> uses;
    private final Map<String, Integer> found = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> path = new ArrayDeque<>();
    private final Set<String> onPath = new TreeSet<>();
    private final List<Set<String>> knots = new ArrayList<>();

    private ClassKnots(Map<String, Set<String>> uses) {
        this.uses = uses;
        uses.keySet().forEach(name -> {
            if (!found.containsKey(name)) {
                visit(name);
            }
        });
    }

    /** Returns the knots among these classes. */
    static ClassKnots of(JavaClasses classes) {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass one : classes) {
            String name = topLevel(one);
            Set<String> used = uses.computeIfAbsent(name, key -> new TreeSet<>());
            for (Dependency dependency : one.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (classes.contain(target.getName()) && !topLevel(target).equals(name)) {
                    used.add(topLevel(target));
                }
            }
        }
        return new ClassKnots(uses);
    }

    private static String topLevel(JavaClass type) {
        String name = type.getName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private void visit(String name) {
        int number = found.size();
        found.put(name, number);
        lowest.put(name, number);
        path.push(name);
        onPath.add(name);
        for (String used : uses.getOrDefault(name, Set.of())) {
            if (!found.containsKey(used)) {
                visit(used);
            }
            if (onPath.contains(used)) {
                lowest.merge(name, Math.min(lowest.get(used), found.get(used)), Math::min);
            }
        }
        if (lowest.get(name) == number) {
            close(name);
        }
    }

    private void close(String first) {
        Set<String> together = new TreeSet<>();
        String name;
        do {
            name = path.pop();
            onPath.remove(name);
            together.add(name);
        } while (!name.equals(first));
        if (together.size() > ALLOWED) {
            knots.add(together);
        }
    }

    /** The knots, each with the names of its classes. */
    List<Set<String>> all() {
        return knots;
    }
}
