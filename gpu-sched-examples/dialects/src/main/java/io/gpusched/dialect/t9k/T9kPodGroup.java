package io.gpusched.dialect.t9k;

import io.gpusched.check.Checks;
import io.gpusched.dialect.RefusedException;
import io.gpusched.model.Locality;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A PodGroup of T9k ({@code scheduler.tensorstack.dev/v1beta1}): when its members may start. Its queue and priority are the scheduling
 * cycle's.
 *
 * @param name its name
 * @param minMember how many members must start together, at least 0
 * @param roleMinimums the least number of members by role
 */
public record T9kPodGroup(String name, int minMember, Map<String, Integer> roleMinimums) {
    /**
     * A member as the gate sees it.
     *
     * @param role its role, or empty
     * @param phase {@code Pending}, {@code Running}, {@code Succeeded}, {@code Failed} or {@code Unknown}
     */
    public record Member(String role, String phase) {
        /** Checks that nothing is null. */
        public Member {
            Objects.requireNonNull(role, "role");
            Objects.requireNonNull(phase, "phase");
        }

        /** Returns whether it counts. */
        public boolean counts() {
            return !phase.equals("Failed");
        }
    }

    /**
     * Copies the roles and checks the numbers.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public T9kPodGroup {
        Objects.requireNonNull(name, "name");
        Checks.noNulls("roleMinimums", roleMinimums);
        roleMinimums = Collections.unmodifiableMap(new LinkedHashMap<>(roleMinimums));
        Checks.inRange("pod group \"" + name + "\"", "minMember", minMember, 0, Integer.MAX_VALUE);
        roleMinimums.forEach((role, minimum) -> Checks.inRange(
                "pod group \"" + name + "\"", "role \"" + role + "\" minMember", minimum, 0, Integer.MAX_VALUE));
    }

    /**
     * Returns whether enough members exist (condition {@code SufficientGroupMember}): the members that have not failed
     * are at least {@code minMember}, and those of each role at least the role's minimum.
     */
    public boolean hasSufficientMembers(List<Member> members) {
        Objects.requireNonNull(members, "members");
        List<Member> counting = members.stream().filter(Member::counts).toList();
        return counting.size() >= minMember
                && roleMinimums.entrySet().stream()
                        .allMatch(role -> counting.stream()
                                        .filter(member -> member.role().equals(role.getKey()))
                                        .count()
                                >= role.getValue());
    }

    /**
     * Returns the group of these pods in the library's terms.
     *
     * @param pods the members by role; the empty role is for members without one
     * @throws RefusedException if they are too few, so that the gate is closed
     */
    public PodGroup group(Map<String, List<Pod>> pods) {
        Objects.requireNonNull(pods, "pods");
        List<Member> members = new ArrayList<>();
        pods.forEach((role, list) -> list.forEach(pod -> members.add(new Member(role, "Pending"))));
        if (!hasSufficientMembers(members)) {
            throw new RefusedException(
                    "pod group \"" + name + "\"",
                    "condition SufficientGroupMember is false: minMember is " + minMember + ", role minimums are "
                            + roleMinimums + ", members by role are " + counts(pods));
        }
        List<PodGroup.Role> roles = new ArrayList<>();
        pods.forEach((role, list) -> roles.add(
                new PodGroup.Role(role.isEmpty() ? "member" : role, roleMinimums.getOrDefault(role, 0), list)));
        return new PodGroup(name, Math.max(1, minMember), roles, Locality.ANYWHERE);
    }

    private static Map<String, Integer> counts(Map<String, List<Pod>> pods) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        pods.forEach((role, list) -> counts.put(role.isEmpty() ? "(none)" : role, list.size()));
        return counts;
    }
}
