package io.gpusched.manifests.group;

import io.gpusched.queue.Eviction;
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
 * @param queue the queue that it names; empty for none
 * @param eviction how its pods may be evicted for others
 * @param preempts whether pods may be evicted for it, whatever its pods say; empty where it says nothing
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
        String queue,
        Eviction eviction,
        Optional<Boolean> preempts,
        String problem) {
    /** Copies the minimums in their order. */
    public GroupSpec {
        roleMinimums = Collections.unmodifiableMap(new LinkedHashMap<>(roleMinimums));
    }

    /** A group that names no queue, and whose minimum is evicted together. */
    public GroupSpec(
            GroupKey key,
            String uid,
            int minimum,
            Map<String, Integer> roleMinimums,
            GroupLocality locality,
            String priorityClass,
            Optional<Integer> priority,
            String problem) {
        this(
                key,
                uid,
                minimum,
                roleMinimums,
                locality,
                priorityClass,
                priority,
                "",
                Eviction.GANG,
                Optional.empty(),
                problem);
    }

    /** Returns which of the {@link #roleMinimums} a pod counts for by its labels and annotations; empty for none. */
    public String roleOf(Map<String, String> labels, Map<String, String> annotations) {
        String stated = key.vocabulary().roleOf(labels, annotations);
        return roleMinimums.containsKey(stated) ? stated : "";
    }

    /** Returns the group in a queue. */
    public GroupSpec inQueue(String name) {
        return new GroupSpec(
                key, uid, minimum, roleMinimums, locality, priorityClass, priority, name, eviction, preempts, problem);
    }

    /** Returns the group with another way to be evicted. */
    public GroupSpec withEviction(Eviction value) {
        return new GroupSpec(
                key, uid, minimum, roleMinimums, locality, priorityClass, priority, queue, value, preempts, problem);
    }

    /** Returns the group that says whether pods may be evicted for it. */
    public GroupSpec preempting(boolean value) {
        return new GroupSpec(
                key,
                uid,
                minimum,
                roleMinimums,
                locality,
                priorityClass,
                priority,
                queue,
                eviction,
                Optional.of(value),
                problem);
    }

    /** Returns the group with something that is not honoured. */
    public GroupSpec withProblem(String text) {
        return new GroupSpec(
                key, uid, minimum, roleMinimums, locality, priorityClass, priority, queue, eviction, preempts, text);
    }

    /** Returns the group with another locality. */
    public GroupSpec withAffinity(GroupLocality value) {
        return new GroupSpec(
                key, uid, minimum, roleMinimums, value, priorityClass, priority, queue, eviction, preempts, problem);
    }
}
