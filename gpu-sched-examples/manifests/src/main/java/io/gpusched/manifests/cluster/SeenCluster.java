package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.analysis.DisruptionBudget;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.aliyun.AliyunGpuShareDialect;
import io.gpusched.dialect.kai.KaiDialect;
import io.gpusched.dialect.koordinator.KoordinatorDialect;
import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.dialect.nvidia.GpuOperatorDialect;
import io.gpusched.dialect.nvidia.NvidiaSharingDialect;
import io.gpusched.manifests.claim.ClaimHoldings;
import io.gpusched.manifests.claim.ClaimRequests;
import io.gpusched.manifests.claim.ClaimedGpus;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.manifests.view.DialectSet;
import io.gpusched.manifests.view.RunningPod;
import io.gpusched.manifests.view.SetAside;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Taint;
import io.gpusched.model.amount.NamedAmounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cluster as it was read, whichever scheduler runs there: a snapshot with all that runs, each pod on the GPUs that a grant names, else
 * on as many as it asks for.
 */
public final class SeenCluster {
    /** Labels nodes whose GPUs are slices under the name of whole ones; it is of the snapshot, and not on the node itself. */
    public static final String SLICES = UsableDevices.SLICES;

    /** Beginnings of annotations that speak of GPUs and are read, or say nothing of what is held. */
    private static final Set<String> KNOWN = Set.of(
            "gpu-sched.io/",
            "hami.io/",
            "volcano.sh/",
            "nano-gpu/",
            "aliyun.com/",
            "elasticgpu.io/",
            "elasticgpu.com/",
            "tencent.com/",
            "tensorstack.dev/",
            "scheduler.assume",
            "gpu-fraction",
            "gpu-memory",
            "nvidia.com/",
            "kubectl.kubernetes.io/",
            "ALIYUN_COM_GPU",
            "runai",
            "run.ai/reserve_for_gpu_index",
            "received-",
            "prometheus.io/",
            "kueue.x-k8s.io/");

    /** Names of devices that no system here gives out. */
    private static final String DEVICES =
            ".*/.*(gpu|npu|[cds]px|mlu|xpu|dcu|gaudi|neuron|tpu).*|nvidia\\.com/(?!hostdev|.*rdma|.*nic).*|gpu\\.intel\\.com/.*";

    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final ClusterObjects objects;
    private final FoundDialects found;
    private final DialectSet dialects;
    private final List<Node> nodes = new ArrayList<>();
    private final Map<PodId, Pod> pods = new HashMap<>();
    private final Cluster cluster;
    private final UsableDevices usable;
    private final ForeignHoldings foreign;

    /** The pods that run, with what they hold in words of others. */
    private final List<Pod> holding;

    private final List<String> notes = new ArrayList<>();
    private final List<SetAside> setAside;
    private final UnaryOperator<Dialect> informed;

    private SeenCluster(ClusterObjects objects, FoundDialects found, boolean anyKind) {
        this.objects = objects;
        this.found = found;
        this.dialects = new DialectSet(found.dialects(), found.byNumber());
        notes.addAll(objects.notes());
        objects.nodes().forEach(node -> nodes.add(SeenNodes.marked(labelled(node))));
        objects.pods().forEach(pod -> pods.put(idOf(pod), pod));
        this.foreign = new ForeignHoldings(
                ClaimHoldings.of(objects.published().claims(), objects.published()), KNOWN, this::isOfKoordinator);
        ClusterBook book = new ClusterBook(dialects);
        nodes.forEach(book::putNode);
        objects.namespaces().forEach(book::putNamespace);
        List<Pod> shared = isOfKai() ? Kai.shared(running()) : running();
        if (!isOfKai() && Kai.isUsed(objects.pods())) {
            notes.add("pods request parts of GPUs by annotations of KAI-Scheduler, which are not read together with "
                    + dialects.first().id());
        }
        this.holding = foreign.counted(shared);
        holding.forEach(pod -> book.putPod(RunningPod.of(pod)));
        notes.addAll(foreign.notes());
        notes.addAll(withheld());
        notes.addAll(elsewhere());
        boolean haveSlices = nodes.stream().anyMatch(SeenNodes::hasSlices);
        this.usable = new UsableDevices(dialects, anyKind, haveSlices);
        this.cluster = new SeenGroups(objects.groups()).in(book.cluster(), holding, usable);
        notes.addAll(Troubles.words(book.troubles()));
        notes.addAll(overcommitted());
        this.setAside = book.setAside();
        this.informed = book::informed;
    }

    /** Returns the cluster of these objects, whose nodes speak these dialects. */
    public static SeenCluster of(ClusterObjects objects, FoundDialects found) {
        return new SeenCluster(objects, found, false);
    }

    /** As {@link #of(ClusterObjects, FoundDialects)}, where pods that run may go on with another kind of device than they have. */
    public static SeenCluster ofAnyKind(ClusterObjects objects, FoundDialects found) {
        return new SeenCluster(objects, found, true);
    }

    /** Returns the cluster of these objects; the dialects of nodes are found by what these say. */
    public static SeenCluster of(ClusterObjects objects) {
        return of(objects, found(objects, ""));
    }

    /**
     * Returns the dialects of the nodes of some objects.
     *
     * @param asked what is asked for beside them, as text
     */
    public static FoundDialects found(ClusterObjects objects, String asked) {
        return FoundDialects.of(objects.nodes(), Kai.isUsed(objects.pods()) || Kai.isUsed(asked));
    }

    /** Where there are several dialects each node says its own. */
    private Node labelled(Node node) {
        String name = found.byNode().get(node.getMetadata().getName());
        return name == null || found.dialects().size() == 1
                ? node
                : node.edit()
                        .editMetadata()
                        .addToLabels(DialectSet.LABEL, name)
                        .endMetadata()
                        .build();
    }

    /** Returns what it was read from. */
    public ClusterObjects objects() {
        return objects;
    }

    /** Returns the nodes, each with the label that names its dialect where there are several. */
    public List<Node> nodes() {
        return nodes;
    }

    /** Returns the dialects of the nodes. */
    public DialectSet dialects() {
        return dialects;
    }

    /** Returns the snapshot. */
    public Cluster cluster() {
        return cluster;
    }

    /** Returns whether KAI-Scheduler gives out parts of GPUs here. */
    public boolean isOfKai() {
        return dialects.all().stream().anyMatch(one -> one.dialect() instanceof KaiDialect);
    }

    /** Whether a running pod's devices are read from what Koordinator wrote of them. */
    private boolean isOfKoordinator(Pod pod) {
        return nodes.stream()
                .filter(node -> node.getMetadata().getName().equals(nodeOf(pod)))
                .map(node -> Optional.ofNullable(node.getMetadata().getLabels()).orElse(Map.of()))
                .map(labels ->
                        labels.getOrDefault(DialectSet.LABEL, dialects.first().id()))
                .anyMatch(KoordinatorDialect.NAME::equals);
    }

    /** Returns a pod that asks for a place as the dialects here read it, with what its classes add. */
    public Pod asked(Pod pod) {
        Pod admitted = admitted(pod, List.of());
        return isOfKai() ? Kai.marked(admitted) : admitted;
    }

    /** Returns a pod with what its classes of runtimes and priorities add, which are among these objects or were read with the cluster. */
    public Pod admitted(Pod pod, List<YamlNode> more) {
        if (pod.getSpec() == null) {
            return pod;
        }
        List<YamlNode> known =
                Stream.concat(more.stream(), objects.others().stream()).toList();
        return Admission.ofPriorityClass(Admission.ofRuntimeClass(pod, known), known);
    }

    /** Returns the dialect of a file in which these words occur: the first that has a resource of such a name. */
    public NamedDialect dialectOf(String text) {
        return found.dialects().stream()
                .filter(named -> named.resources().stream().anyMatch(text::contains)
                        || named.dialect() instanceof KaiDialect && Kai.isUsed(text))
                .findFirst()
                .orElse(found.dialects().get(0));
    }

    /** Returns a dialect with what it has to know of all nodes together. */
    public NamedDialect informed(NamedDialect named) {
        return new NamedDialect(informed.apply(named.dialect()), named.resources());
    }

    /** Returns a pod as it may go to nodes of its dialect alone. */
    public PodManifest onItsNodes(PodManifest pod) {
        return usable.waiting(pod);
    }

    /** Returns a pod of a manifest as the API server would admit it here. */
    public PodManifest admitted(PodManifest pod) {
        return Admission.of(pod, nodes, objects.others());
    }

    /** Returns how large it is and how it was read: {@code 200 nodes (166 with GPUs), 1060 GPUs, 436 idle. Read as: ...}. */
    public String words() {
        return count(cluster.totals().nodes(), "node") + " (" + gpuNodes() + " with GPUs), " + count(gpus(), "GPU")
                + ", "
                + idleGpus() + " idle"
                + (closedGpus() == 0 ? "" : ", " + closedGpus() + " more on nodes that take no pods") + ". "
                + found.words();
    }

    private static String count(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    /** Returns how many nodes have GPUs. */
    public int gpuNodes() {
        return (int)
                cluster.nodes().stream().filter(node -> node.gpuCount() > 0).count();
    }

    /** Returns how many GPUs there are: of cut GPUs, as many as the node says that it has. */
    public int gpus() {
        return cluster.nodes().stream().mapToInt(SeenCluster::gpus).sum();
    }

    /** Returns how many GPUs are idle on nodes that take pods. */
    public int idleGpus() {
        return idle(true);
    }

    /** Returns how many GPUs are idle on nodes that are cordoned or not ready. */
    public int closedGpus() {
        return idle(false);
    }

    private int idle(boolean isOpen) {
        return cluster.nodes().stream()
                .filter(node -> isOpen(node) == isOpen)
                .mapToInt(SeenCluster::idleGpus)
                .sum();
    }

    /** The GPUs that are idle and can be used; one device may stand for several that are cut. */
    private static int idleGpus(NodeState node) {
        int idle = 0;
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            boolean isFree = node.isHealthy(gpu) && node.isIdle(gpu);
            idle += isFree ? node.node().gpus().get(gpu).partitions().isNone() ? 1 : cut(node) : 0;
        }
        return idle;
    }

    /** Returns whether a node offers slices of its GPUs under the name of whole ones. */
    public static boolean isSliced(NodeState node) {
        return node.node().labels().containsKey(SLICES);
    }

    /** Returns how many GPUs a node has. */
    public static int gpus(NodeState node) {
        boolean isCut = isCut(node);
        return isCut ? node.gpuCount() - 1 + cut(node) : node.gpuCount();
    }

    private static boolean isCut(NodeState node) {
        return node.node().gpus().stream().anyMatch(gpu -> gpu.partitions().isAlwaysCut());
    }

    /** How many GPUs one device stands for that is cut for good: as a label counts them, else as few as have its compute. */
    private static int cut(NodeState node) {
        if (!isCut(node)) {
            return 1;
        }
        int all = Integer.parseInt(
                node.node().labels().getOrDefault("nvidia.com/gpu.count", "0").replaceFirst("^\\D*$", "0"));
        int compute = node.node().gpus().get(node.gpuCount() - 1).computeMillis();
        return Math.max(all - (node.gpuCount() - 1), (compute + 999) / 1_000);
    }

    /** Returns whether a node takes pods: it is ready and not cordoned. */
    public static boolean isOpen(NodeState node) {
        return marks(node).isEmpty();
    }

    /** Returns why a node takes no pods, each reason in a word. */
    public static List<String> marks(NodeState node) {
        List<String> marks = new ArrayList<>();
        if (node.isCordoned()) {
            marks.add("cordoned");
        }
        for (Taint taint : node.node().taints()) {
            if (taint.effect().forbids() && taint.key().startsWith("node.kubernetes.io/")) {
                String word = taint.key().substring("node.kubernetes.io/".length());
                marks.add(word.equals("unschedulable") ? "cordoned" : word.equals("not-ready") ? "NotReady" : word);
            }
        }
        return marks.stream().distinct().toList();
    }

    /** Returns the pods that run, each with the GPUs that it holds in words of others as if it had asked for them. */
    public List<Pod> holding() {
        return holding;
    }

    /** Returns the devices of a node that are counted by name, such as partitions of AMD's GPUs. */
    public static List<String> countedDevices(NodeState node) {
        NamedAmounts named = node.node().capacity().named();
        return named.names().stream()
                .filter(name -> named.amount(name) > 0 && isCountedDevice(name))
                .toList();
    }

    /** Returns whether a resource that is counted by name is of devices. */
    public static boolean isCountedDevice(String name) {
        return !name.equals(AliyunGpuShareDialect.COUNT) && (Dialects.isDevice(name) || name.matches(DEVICES));
    }

    /** Returns the devices that nodes have any of, by the names of their resources, in order. */
    public List<String> offered() {
        return nodes.stream()
                .filter(node -> node.getStatus() != null && node.getStatus().getAllocatable() != null)
                .flatMap(node -> node.getStatus().getAllocatable().entrySet().stream())
                .filter(amount -> amount.getValue().getNumericalAmount().signum() > 0)
                .map(Map.Entry::getKey)
                .filter(this::isDevice)
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns what a node's labels say of GPUs, such as {@code nvidia.com/gpu.count is 8}, where they say that it has any. */
    public Optional<String> promised(String node) {
        return nodes.stream()
                .filter(one -> one.getMetadata().getName().equals(node))
                .filter(one -> cluster.node(node)
                        .filter(state -> !countedDevices(state).isEmpty())
                        .isEmpty())
                .flatMap(one -> Optional.ofNullable(one.getMetadata().getLabels()).orElse(Map.of()).entrySet().stream())
                .filter(label -> label.getKey().matches(".*(gpu[.-]count|/gpu[.-]product|accelerator|gpu-name).*"))
                .filter(label -> !label.getValue().matches("|0|false"))
                .map(label -> label.getKey() + " is " + label.getValue())
                .sorted()
                .findFirst();
    }

    /** Returns which of the running pods may be evicted. */
    public Evictions evictions() {
        Map<PodId, String> unread = new HashMap<>(foreign.unmoved());
        for (Pod pod : running()) {
            unread(pod)
                    .ifPresent(resource ->
                            unread.putIfAbsent(idOf(pod), "it holds " + resource + ", which is not read here"));
        }
        holding.stream()
                .filter(pod -> !pods.containsKey(idOf(pod)))
                .forEach(pod -> unread.put(idOf(pod), "it is a claim that no pod uses"));
        setAside.forEach(one -> unread.putIfAbsent(one.pod(), "it is not known what it holds: " + one.problem()));
        return new Evictions(running(), budgets(), objects.volumes().orElse(List.of()), unread, Instant.now());
    }

    /** The nodes on which the kubelet gives out fewer devices than they have. */
    private List<String> withheld() {
        Set<String> words = new TreeSet<>();
        for (Node node : nodes) {
            if (node.getStatus() == null || node.getStatus().getCapacity() == null) {
                continue;
            }
            node.getStatus().getCapacity().forEach((name, has) -> {
                Quantity given = node.getStatus().getAllocatable().get(name);
                long missing = has.getNumericalAmount().longValue()
                        - (given == null ? 0 : given.getNumericalAmount().longValue());
                if (missing > 0 && given != null && given.getNumericalAmount().signum() > 0 && isDevice(name)) {
                    words.add("node " + node.getMetadata().getName() + " gives out "
                            + given.getNumericalAmount().longValue() + " of its "
                            + has.getNumericalAmount().longValue() + " " + name + "; maybe the rest is unhealthy");
                }
            });
        }
        return List.copyOf(words);
    }

    private boolean isDevice(String resource) {
        return resource.contains("/")
                && (Dialects.isDevice(resource)
                        || resource.matches(DEVICES)
                        || dialects.all().stream()
                                .anyMatch(one -> one.resources().contains(resource)));
    }

    /** The pods on nodes that are not among the objects: nothing is known of what they take there. */
    private List<String> elsewhere() {
        Set<String> known =
                nodes.stream().map(node -> node.getMetadata().getName()).collect(Collectors.toSet());
        Set<String> names = new TreeSet<>();
        Set<String> missing = new TreeSet<>();
        for (Pod pod : running()) {
            if (!known.contains(nodeOf(pod))) {
                names.add(pod.getMetadata().getNamespace() + "/"
                        + pod.getMetadata().getName());
                missing.add(nodeOf(pod));
            }
        }
        return names.isEmpty()
                ? List.of()
                : List.of(count(names.size(), "pod") + (names.size() == 1 ? " is" : " are") + " on "
                        + (missing.size() == 1 ? "a node that is" : "nodes that are") + " not among the objects ("
                        + ForeignHoldings.names(missing) + ") and not looked at: " + ForeignHoldings.names(names));
    }

    /** The nodes whose pods ask for more CPU, memory or other resources than they have. */
    private List<String> overcommitted() {
        Set<String> names = new TreeSet<>();
        for (Placement placement : cluster.placements()) {
            io.gpusched.workload.Pod.of(placement)
                    .filter(pod -> !pod.resources().fitsIn(placement.resources()))
                    .ifPresent(pod -> names.add(placement.node()));
        }
        return names.isEmpty()
                ? List.of()
                : List.of(count(names.size(), "node") + (names.size() == 1 ? " has" : " have")
                        + " too little CPU, memory or another resource for what runs there, and nothing left: "
                        + ForeignHoldings.names(names));
    }

    /** The first resource that a pod asks for and that is read neither by the dialect of its node nor, by name, on the node. */
    private Optional<String> unread(Pod pod) {
        Optional<NodeState> node = cluster.node(nodeOf(pod));
        if (node.isEmpty()) {
            return Optional.empty();
        }
        NamedDialect speaks = dialects.all().stream()
                .filter(one -> one.id().equals(node.get().node().labels().get(DialectSet.LABEL)))
                .findFirst()
                .orElse(dialects.first());
        return limits(pod)
                .filter(name -> name.contains("/")
                        && !speaks.resources().contains(name)
                        && node.get().node().capacity().amount(name) == 0)
                .sorted()
                .findFirst();
    }

    private static Stream<String> limits(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .filter(container -> container.getResources() != null)
                .flatMap(container ->
                        Optional.ofNullable(container.getResources().getLimits()).orElse(Map.of()).entrySet().stream())
                .filter(limit -> limit.getValue().getNumericalAmount().signum() > 0)
                .map(Map.Entry::getKey);
    }

    /** Returns what was found wrong while it was read. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** Whether of the GPUs of a node only their number is known to be held, and not which. */
    public boolean countsOnly(String node) {
        if (objects.published().isExact(node)) {
            return false;
        }
        String name = cluster.node(node)
                .map(state -> state.node().labels().getOrDefault(DialectSet.LABEL, ""))
                .orElse("");
        return found.dialects().stream().anyMatch(one -> one.id().equals(name) && countsOnly(one.dialect()));
    }

    private static boolean countsOnly(Dialect dialect) {
        return dialect instanceof DevicePluginDialect
                || dialect instanceof NvidiaSharingDialect
                || dialect instanceof KaiDialect
                || dialect instanceof GpuOperatorDialect;
    }

    /** The pods that have a node and have not ended. */
    public List<Pod> running() {
        return objects.pods().stream()
                .filter(pod -> !nodeOf(pod).isEmpty() && !hasEnded(pod))
                .toList();
    }

    /** The pods that wait for a node. */
    public List<Pod> waiting() {
        return objects.pods().stream()
                .filter(pod -> nodeOf(pod).isEmpty() && !hasEnded(pod))
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .toList();
    }

    /** Returns a pod of this name, bound or not. */
    public Optional<Pod> pod(PodId id) {
        return Optional.ofNullable(pods.get(id));
    }

    /** The pods that disruption budgets protect, and how many of them may be away now. */
    public List<DisruptionBudget> budgets() {
        return Protection.of(objects.budgets(), running());
    }

    /** Returns the name of a pod. */
    public static PodId idOf(Pod pod) {
        return new PodId(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
    }

    /** Returns the node that a pod is bound to; empty if to none. */
    public static String nodeOf(Pod pod) {
        return pod.getSpec() == null
                ? ""
                : Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
    }

    /** Returns whether a pod has come to its end. */
    public static boolean hasEnded(Pod pod) {
        return pod.getStatus() != null
                && ENDED.contains(Objects.requireNonNullElse(pod.getStatus().getPhase(), ""));
    }

    /** Returns the GPUs that the claims of a pod ask for; nothing where it has none, or they cannot be told. */
    public Optional<ClaimedGpus.Asked> claimed(Pod pod) {
        if (pod.getSpec().getResourceClaims().isEmpty()) {
            return Optional.empty();
        }
        ClaimedGpus claimed = new ClaimRequests(objects.published().claims(), List.of(objects.published())).of(pod);
        return claimed instanceof ClaimedGpus.Asked asked ? Optional.of(asked) : Optional.empty();
    }

    /** Whether a pod asks for GPUs. */
    public boolean asksForGpus(Pod pod) {
        return Kai.part(pod).isPresent()
                || claimed(pod).filter(asked -> !asked.requests().isEmpty()).isPresent()
                || limits(pod)
                        .anyMatch(name -> name.contains("/")
                                && (Dialects.isDevice(name) || name.matches(DEVICES) || !dialects.isCounted(name)));
    }
}
