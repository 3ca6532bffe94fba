package io.gpusched.manifests.group;

import java.math.BigDecimal;
import java.util.Map;

/**
 * How far the pods of a group are.
 *
 * @param pending those that wait for a node, or have one and have not started
 * @param bound those that have a node; of these the failed ones are not counted
 * @param running those that run
 * @param succeeded those that ended well
 * @param failed those that failed
 * @param unknown those whose node is not heard of
 * @param allocated what those that have a node and have not ended request, by resource, where the vocabulary tells it
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

    /** Returns how many there are, but for those that failed. */
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
