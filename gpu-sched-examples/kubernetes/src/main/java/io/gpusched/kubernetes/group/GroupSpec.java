package io.gpusched.kubernetes.group;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a group object demands, whatever its vocabulary.
 *
 * @param key which group it is
 * @param uid the identity of the object
 * @param minimum how many pods must run together, 1 or more; 1 for a group that is none
 * @param roleMinimums the least number of pods by role, 0 or more
 * @param locality within what its pods stay
 * @param priorityClass the name of its priority class; empty for none
 * @param priority its priority where it states a number
 * @param problem what it demands that is not honoured, so that its pods stay pending; empty where all is
 */
public record GroupSpec(
        GroupKey key,
        String uid,
        int minimum,
        Map<String, Integer> roleMinimums,
        GroupLocality locality,
        String priorityClass,
        Optional<Integer> priority,
        String problem) {
    /** Copies the minimums in their order. */
    public GroupSpec {
        roleMinimums = Collections.unmodifiableMap(new LinkedHashMap<>(roleMinimums));
    }

    /** Returns the group with something that is not honoured. */
    public GroupSpec withProblem(String text) {
        return new GroupSpec(key, uid, minimum, roleMinimums, locality, priorityClass, priority, text);
    }

    /** Returns the group with another locality. */
    public GroupSpec withAffinity(GroupLocality value) {
        return new GroupSpec(key, uid, minimum, roleMinimums, value, priorityClass, priority, problem);
    }
}
