package io.gpusched.internal.gang;

import static io.gpusched.internal.gang.Gangs.pods;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.PodGroup;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GangPartsTest {
    private static PodGroup child(String name, int size) {
        return PodGroup.of(name, pods(size, name, GpuRequest.exclusive(1)));
    }

    /** Groups of 4, 2 and 3, and two members of its own of which one must start. */
    private static PodGroup tree(int minGroups) {
        PodGroup.Role own = new PodGroup.Role("own", 1, pods(2, "own", GpuRequest.exclusive(1)));
        return new PodGroup(
                "tree",
                1,
                List.of(own),
                Locality.ANYWHERE,
                List.of(child("four", 4), child("two", 2), withRole("three", 3)),
                minGroups);
    }

    private static PodGroup withRole(String name, int size) {
        return new PodGroup(
                name,
                size,
                List.of(new PodGroup.Role("worker", 2, pods(size, name, GpuRequest.exclusive(1)))),
                Locality.ANYWHERE);
    }

    @Test
    void least_isOfTheRolesAndTheSmallestGroupsThatMustStart() {
        assertThat(GangParts.least(tree(0))).isEqualTo(1);
        assertThat(GangParts.least(tree(2))).isEqualTo(1 + 2 + 3);
        assertThat(GangParts.least(tree(3))).isEqualTo(1 + 2 + 3 + 4);
        assertThat(GangParts.least(tree(2).withMinMember(8))).isEqualTo(8);
    }

    @Test
    void flat_keepsMinimumsOfRolesWhereAllGroupsMustStart() {
        assertThat(GangParts.flat(tree(3)).roles())
                .extracting(PodGroup.Role::name, PodGroup.Role::minMember)
                .containsExactly(
                        tuple("own", 1), tuple("four/member", 0), tuple("two/member", 0), tuple("three/worker", 2));
        assertThat(GangParts.flat(tree(2)).roles())
                .extracting(PodGroup.Role::minMember)
                .containsExactly(1, 0, 0, 0);
        assertThat(GangParts.flat(tree(2)).minMember()).isEqualTo(6);
    }

    @Test
    void flat_ofAGroupWithoutGroups_isTheGroup() {
        PodGroup group = child("four", 4);

        assertThat(GangParts.flat(group)).isSameAs(group);
    }

    @Test
    void own_needsTheMinimumsOfItsRolesOrOne() {
        assertThat(GangParts.own(tree(2)).minMember()).isEqualTo(1);
        assertThat(GangParts.own(withRole("three", 3)).minMember()).isEqualTo(2);
    }

    @Test
    void memberships_ofGroupsInAGroup_sayWhatIsAround() {
        PodGroup inner = child("inner", 1);
        PodGroup middle = PodGroup.ofGroups("middle", List.of(inner));
        PodGroup outer = PodGroup.ofGroups("outer", List.of(middle));

        Map<PodGroup, GroupMembership> all = GangMemberships.byGroup(outer);

        assertThat(all).hasSize(3);
        assertThat(all.get(outer)).isEqualTo(GroupMembership.of("outer", Locality.ANYWHERE));
        assertThat(all.get(inner))
                .isEqualTo(GroupMembership.of("outer", Locality.ANYWHERE)
                        .in("middle", Locality.ANYWHERE)
                        .in("inner", Locality.ANYWHERE));
    }
}
