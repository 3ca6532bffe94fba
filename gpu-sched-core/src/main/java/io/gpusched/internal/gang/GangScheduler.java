package io.gpusched.internal.gang;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Unschedulable;
import io.gpusched.internal.diagnosis.GangDiagnoser;
import io.gpusched.internal.fit.Capacity;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.search.PlacementSearch;
import io.gpusched.model.Cluster;
import io.gpusched.model.PodId;
import io.gpusched.model.TopologyDomain;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Places the members of one group, all that must start together or none. Not thread-safe; one for each decision.
 *
 * <p>The rule: members are placed one by one where the policy likes them best, the minimum of each role first, then
 * everyone in the group's order. If that does not get the group started, the largest members go first; if that does not
 * either, an exact search decides. Within domains this is tried domain by domain, the tightest that has room for all
 * first. So a group is refused only if no legal placement of its minimum exists, or the search gave up.
 */
public final class GangScheduler {
    private final PlacementSearch search;
    private final Cluster cluster;
    private final Gang gang;
    private final GangDomains domains;

    /** One limit for all domains that are tried. */
    private final StepLimit limit = new StepLimit(GangSearch.STEP_LIMIT);

    private boolean proven = true;

    public GangScheduler(PlacementSearch search, Cluster cluster, PodGroup group) {
        this.search = search;
        this.cluster = cluster;
        this.gang = new Gang(group, search.allocations());
        this.domains = new GangDomains(cluster, gang);
    }

    public GroupDecision schedule() {
        PodGroup.Locality locality = gang.group().locality();
        GangFill fill = switch (locality.scope()) {
            case ANYWHERE -> within(NodeRange.EVERYWHERE);
            case NODE -> onOneNode();
            case DOMAIN -> withinOneDomain();
        };
        if (!locality.required()) {
            if (fill == null && locality.scope() == PodGroup.Locality.Scope.DOMAIN) {
                fill = overFewDomains();
            }
            if (fill == null && locality.scope() != PodGroup.Locality.Scope.ANYWHERE) {
                fill = within(NodeRange.EVERYWHERE);
            }
            if (fill != null && !fill.isComplete()) {
                fill.fill(NodeRange.EVERYWHERE);
            }
        }
        return fill == null ? refuse() : placed(fill);
    }

    private GroupPlaced placed(GangFill fill) {
        List<PodId> waiting = new ArrayList<>();
        for (Gang.Member member : gang.members()) {
            if (!fill.isPlaced(member)) {
                waiting.add(member.demand().pod().id());
            }
        }
        return new GroupPlaced(fill.placements(), waiting);
    }

    private Unschedulable refuse() {
        String subject = "pod group \"" + gang.group().name() + "\"";
        Certainty certainty = proven ? Certainty.PROVEN : Certainty.LIMIT;
        return new Unschedulable(
                subject, certainty, () -> new GangDiagnoser(search, cluster, gang).diagnose(subject, certainty));
    }

    /** Places the group within a range of the node order, or returns null. */
    private @Nullable GangFill within(NodeRange range) {
        if (!domains.mayStart(range) || !range.isEverywhere() && !hasCapacity(range)) {
            return null;
        }
        GangFill fill = new GangFill(search, cluster, gang);
        if (fill.fill(range)) {
            return fill;
        }
        if (gang.isCountable()) {
            return null;
        }
        GangFill largestFirst = new GangFill(search, cluster, gang);
        if (largestFirst.fill(largestFirst(), range)) {
            return largestFirst;
        }
        GangSearch exact = new GangSearch(search, cluster, gang, limit);
        GangFill found = exact.find(range);
        if (found != null) {
            found.fill(range);
        } else if (limit.isReached()) {
            proven = false;
        }
        return found;
    }

    /** Whether each kind of which some must start finds room for as many of them, counted kind by kind. */
    private boolean hasCapacity(NodeRange range) {
        for (Gang.Kind kind : gang.kinds()) {
            int least = gang.least(kind);
            if (least > 0 && kind.isCountable() && !Capacity.isAtLeast(cluster, kind.demand(), range, least)) {
                return false;
            }
        }
        return true;
    }

    private List<Gang.Member> largestFirst() {
        List<Gang.Member> members = new ArrayList<>(gang.members());
        members.sort(Comparator.comparing(
                        (Gang.Member member) -> !member.demand().wholeNode())
                .thenComparingInt(member -> -member.kind().idleGpus())
                .thenComparingInt(member -> -member.demand().mostGpus())
                .thenComparingLong(member -> -member.demand().resources().cpuMillis()));
        return members;
    }

    private @Nullable GangFill onOneNode() {
        GangOnNode onNode = new GangOnNode(search, cluster, gang, domains, limit);
        GangFill fill = onNode.find();
        proven &= !limit.isReached();
        return fill;
    }

    private @Nullable GangFill withinOneDomain() {
        for (GangDomains.Candidate candidate : domains.candidates()) {
            GangFill fill = within(NodeRange.of(candidate.domain()));
            if (fill != null) {
                return fill;
            }
        }
        return null;
    }

    /** Places the group domain by domain, the roomiest first; null if that does not get it started. */
    private @Nullable GangFill overFewDomains() {
        GangFill fill = new GangFill(search, cluster, gang);
        for (TopologyDomain domain : domains.roomiestFirst()) {
            fill.fill(NodeRange.of(domain));
            if (fill.isComplete()) {
                break;
            }
        }
        return fill.fill(NodeRange.EVERYWHERE) ? fill : null;
    }
}
