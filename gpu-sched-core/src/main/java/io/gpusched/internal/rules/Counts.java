package io.gpusched.internal.rules;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** How many there are in each domain, by the domain's name. */
sealed interface Counts permits DomainCounts, CountedDomains {
    /** Returns how many there are in a domain; none where the name is null. */
    int get(@Nullable String domain);

    /** The number of domains with any. */
    int size();

    /** How many there are in all domains. */
    long sum();

    /** Calls back with each domain that has any. */
    void forEach(ObjIntConsumer<String> action);

    /** Calls back with the number of each domain that has any. */
    void forEachCount(IntConsumer action);

    /** Returns the domains with any, by name. */
    default Map<String, Integer> toMap() {
        Map<String, Integer> map = new TreeMap<>();
        forEach(map::put);
        return map;
    }
}
