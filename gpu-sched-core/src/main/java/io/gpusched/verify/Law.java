package io.gpusched.verify;

/** What an answer can break. */
public enum Law {
    /** A placement names a node that exists. */
    NODE_EXISTS,
    /** A pod is placed once, and no name occurs twice. */
    PLACED_ONCE,
    /** A new pod goes to no cordoned node, unless it tolerates {@code node.kubernetes.io/unschedulable:NoSchedule} (kube-scheduler, NodeUnschedulable). */
    CORDON,
    /** A new pod goes to no node with a taint NoSchedule or NoExecute that it does not tolerate (kube-scheduler, TaintToleration). */
    TAINT,
    /** A pod goes to a node that its selector accepts (kube-scheduler, NodeAffinity). */
    NODE_SELECTOR,
    /** A pod that names its node goes there (kube-scheduler, NodeName). */
    NODE_NAME,
    /** Two pods take no host port of a node twice (kube-scheduler, NodePorts). */
    HOST_PORT,
    /** A pod is near the pods that its required affinity demands (kube-scheduler, InterPodAffinity). */
    POD_AFFINITY,
    /** A pod is away from the pods that its required anti-affinity names, and from pods whose own names it (kube-scheduler, InterPodAffinity). */
    POD_ANTI_AFFINITY,
    /** A place keeps the skew of required spread constraints (kube-scheduler, PodTopologySpread). */
    TOPOLOGY_SPREAD,
    /** A grant says what its container asked: the kind, the number of distinct devices, the amounts. */
    GRANT,
    /** Each device that is granted is accepted by the request: model, memory, UUID. */
    GPU_SELECTOR,
    /** The devices of a request share the NUMA node or NVLinks that it requires. */
    GPU_AFFINITY,
    /** Nothing new is placed on a GPU that is not healthy. */
    GPU_HEALTH,
    /** A placement carries the spec and the group of its pod, and what it takes beside GPUs. */
    PLACEMENT_OF_POD,
    /** A node gives out what its mode admits. */
    NODE_MODE,
    /** A node has the GPUs that are held. */
    DEVICE_EXISTS,
    /** No device is given out twice: one held whole has one holder, shares fit in it, and it is not shared and cut at once. */
    DEVICE,
    /** Partitions lie at legal places, do not overlap, and are no more than the geometry admits. */
    PARTITION,
    /** A node held as a whole has no other tenant. */
    WHOLE_NODE,
    /** CPU, memory, named resources and the number of pods of a node are enough for what runs there. */
    CAPACITY,
    /** A refusal that is proven has no legal placement. */
    PROVEN_REFUSAL,
    /** A group starts with at least its minimum, and that of each role and group in it. */
    MINIMUM,
    /** Members of a group are as close together as its required locality says. */
    LOCALITY,
    /** A decision speaks of the members of its group and of all of them: each placed or waiting. */
    MEMBERS,
    /** A step of a plan is about a member that is where the step says. */
    STEP,
    /** A place that is held for a pod is one, once what terminates has ended. */
    NOMINATION,
    /** What a queue and those around it hold does not grow beyond a limit, at no time. */
    LIMIT,
    /** Jobs that may not be evicted do not grow beyond what their queue deserves. */
    OVER_DESERVED,
    /** What leaves may, together with what must leave with it, for a job that gets a place. */
    EVICTION,
    /** Within a queue, jobs leave for those of higher priority alone. */
    PRIORITY,
    /** Across queues, jobs leave where their queue has more than it deserves, and none falls below that. */
    RECLAIM,
    /** A job runs at least as long as its queues say before its minimum leaves. */
    MIN_RUNTIME,
    /** Others leave for a job only once it has waited for its delay. */
    PREEMPTION_DELAY,
    /** Each victim is needed, when it leaves and at the end of the plan: put back, it takes something of what the other job gets. */
    VICTIM_NEEDED,
    /** What is reserved for a later time has room then. */
    RESERVATION,
    /** A start that was promised only moves earlier while no job runs longer than planned. */
    PROMISE,
    /** A start that is told as bound rests on no end that is not. */
    CERTAINTY,
    /** A job that waits is told a reason that is true once the plan is carried out. */
    REASON,
    /** The state after a plan is the one that its steps lead to. */
    AFTER,
    /** A plan that is carried out and planned again is empty. */
    PLANNED_AGAIN,
    /** Each request of a claim is served in one of its alternatives, with just the devices it asks for (KEP-4381, KEP-4816). */
    CLAIM_REQUEST,
    /** Devices of a claim are published in a complete pool of the newest generation, reached from the nodes of its pods, and given once (KEP-4381). */
    CLAIM_DEVICE,
    /** Class and selectors of a request accept its devices (KEP-4381). */
    CLAIM_SELECTOR,
    /** A request tolerates the taints of its devices (KEP-5055). */
    CLAIM_TAINT,
    /** Devices of a claim share a value, or have different ones, where the claim demands it (KEP-4381). */
    CLAIM_CONSTRAINT,
    /** A device gives no more of a capacity than it has, in parts that its policy admits (KEP-5075). */
    CLAIM_CAPACITY,
    /** No counter that devices share is overdrawn (KEP-4815). */
    CLAIM_COUNTER,
    /** Pods of a gang run where they may, and no more of them use a claim than may (KEP-5729). */
    CLAIM_POD
}
