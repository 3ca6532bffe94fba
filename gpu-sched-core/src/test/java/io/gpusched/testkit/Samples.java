package io.gpusched.testkit;

import io.gpusched.analysis.DefragPlan;
import io.gpusched.analysis.Defragmenter;
import io.gpusched.analysis.DisruptionBudget;
import io.gpusched.analysis.Drain;
import io.gpusched.analysis.Fragmentation;
import io.gpusched.analysis.Headroom;
import io.gpusched.analysis.MakeRoom;
import io.gpusched.analysis.Move;
import io.gpusched.analysis.MoveLimits;
import io.gpusched.analysis.Repair;
import io.gpusched.analysis.ScaleDown;
import io.gpusched.analysis.WantedRoom;
import io.gpusched.claim.AttributeValue;
import io.gpusched.claim.Claim;
import io.gpusched.claim.ClaimAllocator;
import io.gpusched.claim.ClaimDecision;
import io.gpusched.claim.ClaimGang;
import io.gpusched.claim.ClaimNode;
import io.gpusched.claim.Device;
import io.gpusched.claim.DeviceAmount;
import io.gpusched.claim.DeviceCapacity;
import io.gpusched.claim.DeviceId;
import io.gpusched.claim.DeviceRequest;
import io.gpusched.claim.DeviceSelector;
import io.gpusched.claim.DeviceToleration;
import io.gpusched.claim.DevicesInUse;
import io.gpusched.claim.GangDecision;
import io.gpusched.claim.NodeScope;
import io.gpusched.claim.ResourceSlice;
import io.gpusched.decision.Amount;
import io.gpusched.decision.Certainty;
import io.gpusched.decision.Change;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Fact;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.NodeTemplate;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Remedy;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.model.partition.PartitionTable;
import io.gpusched.policy.BestFit;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.FragmentationGradient;
import io.gpusched.policy.LookAhead;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import io.gpusched.policy.Spread;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.JobStatus;
import io.gpusched.queue.PendingJob;
import io.gpusched.queue.PendingReason;
import io.gpusched.queue.Plan;
import io.gpusched.queue.PlanStep;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.QueueState;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.Quota;
import io.gpusched.queue.SchedulingCycle;
import io.gpusched.queue.UsageHistory;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.PendingPods;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.verify.Verifier;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.PodSpec;
import io.gpusched.workload.Toleration;
import io.gpusched.workload.TopologySpread;
import io.gpusched.workload.WorkloadProfile;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** One legal value of each public type, for tests that go through all of them by reflection. */
public final class Samples {
    private static final Map<Class<?>, Object> VALUES = new HashMap<>();

    static {
        put(String.class, "x");
        put(boolean.class, false);
        put(int.class, 1);
        put(long.class, 1L);
        put(double.class, 1.0);
        put(Integer.class, 1);
        put(Long.class, 1L);
        put(List.class, List.of());
        put(Collection.class, List.of());
        put(Set.class, Set.of());
        put(Map.class, Map.of());
        put(Optional.class, Optional.empty());
        put(OptionalInt.class, OptionalInt.empty());
        put(OptionalLong.class, OptionalLong.empty());
        put(IntFunction.class, (IntFunction<Object>) index -> "x" + index);
        put(Function.class, Function.identity());
        put(Supplier.class, (Supplier<Object>) () -> "x");
        put(Supplier.class, (Supplier<Object>) () -> "x");
        put(Predicate.class, (Predicate<Object>) one -> true);
        put(ToDoubleFunction.class, (ToDoubleFunction<Object>) one -> 0);
        put(Object.class, "x");
        putModel();
        putWorkload();
        putDecision();
        putPolicies();
        putCycles();
    }

    private Samples() {}

    /** Returns the sample of a type. */
    public static Object of(Class<?> type) {
        Object value = VALUES.get(type);
        if (value == null && type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (value == null && type.isArray()) {
            Object array = Array.newInstance(type.getComponentType(), 1);
            Array.set(array, 0, of(type.getComponentType()));
            return array;
        }
        if (value == null) {
            throw new AssertionError("no sample of " + type.getName() + "\nMaybe add one to Samples.");
        }
        return value;
    }

    private static Object proxy(Class<?> type) {
        return Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) ->
                        method.isDefault() ? InvocationHandler.invokeDefault(self, method, arguments) : null);
    }

    private static void put(Class<?> type, Object value) {
        VALUES.put(type, value);
    }

    private static void putCycles() {
        put(Quota.class, Quota.NONE);
        put(QueueResource.class, QueueResource.GPU);
        put(JobQueue.class, JobQueue.builder("x").build());
        put(JobQueue.Builder.class, JobQueue.builder("x"));
        put(QueueTree.class, QueueTree.of(List.of(JobQueue.builder("x").build())));
        put(UsageHistory.class, UsageHistory.NONE);
        put(JobSpec.class, JobSpec.builder((PodGroup) of(PodGroup.class), "x").build());
        put(JobSpec.Builder.class, JobSpec.builder((PodGroup) of(PodGroup.class), "x"));
        put(Device.Builder.class, Device.builder("x"));
        put(ClaimNode.class, ClaimNode.of((Node) of(Node.class)));
        put(ClaimAllocator.class, ClaimAllocator.exact());
        put(Claim.class, Claim.of("x"));
        put(ClaimGang.class, new ClaimGang(List.of(), List.of()));
        put(ClaimDecision.Allocated.class, new ClaimDecision.Allocated(Certainty.PROVEN, List.of(), 0));
        put(GangDecision.Allocated.class, new GangDecision.Allocated(Certainty.PROVEN, Map.of(), List.of(), 0));
        put(DevicesInUse.class, DevicesInUse.NONE);
        put(DeviceAmount.class, DeviceAmount.of(1));
        put(DeviceCapacity.class, DeviceCapacity.of(DeviceAmount.of(1)));
        put(DeviceId.class, new DeviceId("driver", "pool", "device"));
        put(DeviceRequest.Builder.class, DeviceRequest.builder("x", "x"));
        put(DeviceSelector.class, DeviceSelector.driver("x"));
        put(DeviceRequest.class, DeviceRequest.of("x", "x", 1));
        put(DeviceRequest.DerivedAttribute.class, (DeviceRequest.DerivedAttribute) (slice, device) -> AttributeValue.of(
                Objects.requireNonNull(slice, "slice").idOf(device).device()));
        put(DeviceSelector.Predicate.class, (DeviceSelector.Predicate) (slice, device) ->
                Objects.requireNonNull(slice, "slice").idOf(device).driver().isEmpty());
        put(Claim.Request.class, Claim.Request.exactly(DeviceRequest.of("x", "x", 1)));
        put(Claim.Constraint.class, new Claim.Constraint(Claim.Constraint.Kind.MATCH, "x", Set.of()));
        put(NodeScope.class, new NodeScope.AllNodes());
        put(ResourceSlice.class, ResourceSlice.of("x", "x", "x", new NodeScope.AllNodes(), List.of()));
        put(DeviceToleration.class, new DeviceToleration("", true, "", Optional.empty()));
        put(AttributeValue.class, AttributeValue.of("x"));
        put(MakeRoom.Newcomer.class, proxy(MakeRoom.Newcomer.class));
        put(MakeRoom.Victims.class, proxy(MakeRoom.Victims.class));
        put(JobStatus.class, JobStatus.PENDING);
        put(Job.class, Job.pending((JobSpec) of(JobSpec.class)));
        QueueState state = QueueState.of(
                (Cluster) of(Cluster.class), (QueueTree) of(QueueTree.class), List.of((Job) of(Job.class)));
        put(QueueState.class, state);
        put(Plan.class, new Plan(List.of(), List.of(), state));
        put(PendingJob.class, new PendingJob("x", 1, new PendingReason.Ending(1)));
        put(PendingReason.class, new PendingReason.Ending(1));
        put(PlanStep.class, new PlanStep.Bind("x", (Placement) of(Placement.class), CyclePass.ALLOCATE));
        put(CycleSettings.class, CycleSettings.standard());
        put(SchedulingCycle.class, SchedulingCycle.create());
    }

    private static void putPolicies() {
        WorkloadProfile profile = (WorkloadProfile) of(WorkloadProfile.class);
        put(BestFit.class, BestFit.of());
        put(BinPack.class, BinPack.of());
        put(DeviceOrder.class, (DeviceOrder) (node, earlier, container) -> new int[0]);
        put(FirstFit.class, FirstFit.of());
        put(FragmentationGradient.class, FragmentationGradient.of(profile));
        put(LookAhead.class, LookAhead.of(profile));
        put(RandomFit.class, RandomFit.of(1));
        put(Spread.class, Spread.of());
    }

    private static void putModel() {
        GpuModel model = GpuModel.of("nvidia", "A100", 1_000);
        Gpu gpu = Gpu.of(0, "gpu-0", model);
        Node node = Node.builder("n").capacity(8_000, 8_000).gpus(2, model).build();
        Cluster cluster = Cluster.of(List.of(node));
        put(GpuModel.class, model);
        put(Gpu.class, gpu);
        put(Node.class, node);
        put(Cluster.class, cluster);
        put(NodeState.class, cluster.node(0));
        put(PodId.class, PodId.of("p"));
        put(Resources.class, Resources.NONE);
        put(NamedAmounts.class, NamedAmounts.NONE);
        put(Node.Builder.class, Node.builder("m"));
        put(ClusterBatch.class, cluster.batch());
        put(Cluster.NodeChange.class, (Cluster.NodeChange) (before, after) -> {});
        put(GpuGrant.class, GpuGrant.none());
        put(GpuLinks.class, GpuLinks.NONE);
        put(GpuLinks.Link.class, GpuLinks.Link.NONE);
        put(Topology.class, Topology.NONE);
        put(GpuPartition.class, GpuPartition.of(0, "1g.5gb", 0));
        put(PartitionGeometry.class, MigGeometry.A100_40GB.geometry());
        put(PartitionTable.class, MigGeometry.A100_40GB.geometry().table());
        put(GpuShare.class, new GpuShare(0, 100, 100, 1));
        put(PartitionProfile.class, MigGeometry.A100_40GB.geometry().profiles().get(0));
        put(Taint.class, Taint.noSchedule("key", "value"));
    }

    private static void putWorkload() {
        Container container = Container.of("c", Resources.NONE, GpuRequest.exclusive(1));
        Pod pod = new Pod(PodId.of("p"), List.of(container), NodeSelector.ANY, List.of());
        NodeRequirement requirement = NodeRequirement.exists("key");
        put(GpuRequest.Partition.class, GpuRequest.partition("1g.5gb", 1));
        put(Container.class, container);
        put(Pod.class, pod);
        put(PodSpec.class, pod.spec());
        put(Pod.Builder.class, Pod.builder("p"));
        put(GpuRequest.class, GpuRequest.exclusive(1));
        put(GpuRequest.None.class, GpuRequest.none());
        put(GpuRequest.Exclusive.class, GpuRequest.exclusive(1));
        put(GpuRequest.Share.class, GpuRequest.percent(10));
        put(GpuRequest.WholeNode.class, GpuRequest.wholeNode());
        put(GpuRequest.FirstOf.class, GpuRequest.firstOf(GpuRequest.exclusive(1), GpuRequest.exclusive(2)));
        put(GpuAffinity.class, GpuAffinity.ANY);
        put(GpuSelector.class, GpuSelector.ANY);
        put(GpuMemory.class, GpuMemory.mib(1));
        put(GpuMemory.Mib.class, GpuMemory.mib(1));
        put(GpuMemory.Percent.class, GpuMemory.percent(1));
        put(NodeRequirement.class, requirement);
        put(NodeSelector.class, NodeSelector.ANY);
        put(NodeSelector.Term.class, new NodeSelector.Term(List.of(requirement)));
        put(Toleration.class, Toleration.everything());
        put(PodGroup.class, PodGroup.of("g", List.of(pod)));
        put(PodGroup.Role.class, new PodGroup.Role("r", 0, List.of(pod)));
        put(Locality.class, Locality.ANYWHERE);
        put(GroupMembership.class, GroupMembership.of("g", Locality.within("rack")));
        putRules();
        put(WorkloadProfile.class, WorkloadProfile.of(List.of(pod)));
        put(WorkloadProfile.Demand.class, WorkloadProfile.demandOf(pod));
    }

    private static void putRules() {
        LabelSelector.Requirement requirement =
                new LabelSelector.Requirement("key", LabelSelector.Operator.EXISTS, List.of());
        PodAffinity.Term term = PodAffinity.Term.of(LabelSelector.ALL, "zone");
        NodePreference preference = new NodePreference(1, (NodeSelector.Term) of(NodeSelector.Term.class));
        TopologySpread spread = TopologySpread.required("zone", 1, LabelSelector.ALL);
        put(PodRules.class, PodRules.NONE);
        put(LabelSelector.class, LabelSelector.ALL);
        put(LabelSelector.Requirement.class, requirement);
        put(PodAffinity.class, PodAffinity.NONE);
        put(PodAffinity.Term.class, term);
        put(PodAffinity.Weighted.class, new PodAffinity.Weighted(1, term));
        put(TopologySpread.class, spread);
        put(HostPort.class, HostPort.tcp(80));
        put(NodePreference.class, preference);
    }

    private static void putDecision() {
        GpuScheduler scheduler = GpuScheduler.create();
        Cluster cluster = (Cluster) of(Cluster.class);
        Pod pod = (Pod) of(Pod.class);
        Placed placed = (Placed) scheduler.schedule(cluster, pod);
        Unschedulable refusal = (Unschedulable) scheduler.schedule(Cluster.of(List.of()), pod);
        put(GpuScheduler.class, scheduler);
        put(GpuScheduler.Builder.class, GpuScheduler.builder());
        put(SearchBudget.class, SearchBudget.DEFAULT);
        put(PendingPods.class, new PendingPods());
        put(Consumer.class, (Consumer<Object>) any -> {});
        put(PlacementPolicy.class, BinPack.of());
        put(Placed.class, placed);
        put(Decision.class, placed);
        put(GroupDecision.class, refusal);
        put(Verifier.class, Verifier.create());
        put(Placement.class, placed.placement());
        put(Placement.Spec.class, pod.spec());
        put(GroupPlaced.class, new GroupPlaced(List.of(), List.of(), Certainty.PROVEN));
        put(Unschedulable.class, refusal);
        put(Diagnosis.class, refusal.diagnosis());
        put(Reason.class, Reason.ofQuota(List.of("n"), "used up"));
        put(NodeTemplate.class, new NodeTemplate(Resources.NONE, Set.of(), List.of(), List.of(), Topology.NONE));
        put(Fact.class, new Fact.NoPods());
        put(Remedy.class, new Remedy(List.of()));
        put(Change.class, new Change.Uncordon("n"));
        put(Amount.class, new Amount(Amount.Quantity.GPUS, 1, 1, 1));
        Drain drain = Drain.of(cluster, List.of());
        put(Drain.class, drain);
        put(Drain.Obstacle.class, new Drain.Obstacle(List.of(), Optional.empty()));
        put(ScaleDown.class, ScaleDown.of(cluster));
        Placement held = (Placement) of(Placement.class);
        put(Move.class, new Move(List.of(held), List.of(held)));
        put(WantedRoom.class, WantedRoom.wholeNodes());
        put(DisruptionBudget.class, new DisruptionBudget("x", Set.of(), 1));
        put(MoveLimits.class, MoveLimits.NONE);
        DefragPlan defragPlan = Defragmenter.plan(cluster, List.of(WantedRoom.wholeNodes()), MoveLimits.NONE);
        put(DefragPlan.class, defragPlan);
        put(DefragPlan.Stage.class, new DefragPlan.Stage(List.of(), List.of()));
        put(DefragPlan.Gain.class, new DefragPlan.Gain(WantedRoom.wholeNodes(), "x", 1));
        put(Repair.class, Repair.plan(cluster, cluster.node(0).name(), MoveLimits.NONE));
        put(Headroom.class, Headroom.of(cluster, pod));
        put(Fragmentation.class, Fragmentation.of(cluster, (WorkloadProfile) of(WorkloadProfile.class)));
    }
}
