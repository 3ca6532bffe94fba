package io.gpusched.manifests.group;

import java.math.BigDecimal;
import java.util.Map;

/**
 * How far the pods of a group are.
 *
 * @param pending the pods that wait for a node, or have one and have not started
 * @param bound the pods that have a node, but for failed ones
 * @param running the pods that run
 * @param succeeded the pods that ended well
 * @param failed the pods that failed
 * @param unknown the pods whose phase is Unknown, as their node does not answer
 * @param allocated what pods that have a node and have not ended request, by resource, where the vocabulary tells it
 * @param byRole all but the failed ones by role; pods without a role are under the empty name
 */
public record GroupCounts(
        int pending,
        int bound,
        int running,
        int succeeded,
        int failed,
        int unknown,
        Map<String, BigDecimal> allocated,
        Map<String, Integer> byRole) {
    /** Copies the maps. */
    public GroupCounts {
        allocated = Map.copyOf(allocated);
        byRole = Map.copyOf(byRole);
    }

    /** Returns how many there are, but for failed ones. */
    public int members() {
        return pending + running + succeeded + unknown;
    }

    /** Returns whether there are as many as a group demands, in all and of each role. */
    public boolean suffice(GroupSpec spec) {
        return members() >= spec.minimum()
                && spec.roleMinimums().entrySet().stream()
                        .allMatch(role -> byRole.getOrDefault(role.getKey(), 0) >= role.getValue());
    }
}
