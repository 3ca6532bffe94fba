package io.gpusched.dialect.slurm;

import io.gpusched.check.Checks;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Nodes as {@code scontrol -d show node} prints them, with what their jobs hold, and partitions as {@code scontrol show partition} does.
 * Nodes that take no jobs (down, drained, reserved, in maintenance) are left out. With {@code -d} it is known which GPUs are held, else
 * only how many.
 *
 * @param cluster the nodes, each with one pod that holds what the jobs on it hold
 * @param partitions the nodes' partitions and features; if the default partition is not known, all nodes are in it
 * @param notes what has to be said of them
 */
public record ScontrolNodes(Cluster cluster, SlurmPartitions partitions, List<String> notes) {
    private static final String NODE = "nodename";
    private static final String PARTITION = "partitionname";

    /** Checks that nothing is missing. */
    public ScontrolNodes {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(partitions, "partitions");
        notes = Checks.list("notes", notes);
    }

    /** Returns whether a text is what {@code scontrol show node} prints, and not a configuration. */
    public static boolean isOne(String text) {
        Objects.requireNonNull(text, "text");
        return SlurmConf.describesNodes(text) && text.contains("CPUAlloc=");
    }

    /**
     * Reads what scontrol printed, nodes and partitions one after the other; jobs are passed over, for the nodes say what they hold.
     *
     * @throws IllegalArgumentException if an amount is malformed; the message names the node
     */
    public static ScontrolNodes parse(String text) {
        Objects.requireNonNull(text, "text");
        Map<String, List<String>> nodesOf = new TreeMap<>();
        Map<String, Set<String>> features = new TreeMap<>();
        List<String> notes = new ArrayList<>();
        List<Node> nodes = new ArrayList<>();
        List<Pod> held = new ArrayList<>();
        Set<String> closed = new TreeSet<>();
        Optional<String> standard = Optional.empty();
        for (Map<String, String> block : blocks(text)) {
            String name = block.get(NODE);
            if (name != null && SlurmConf.isUsable(block.getOrDefault("state", ""))) {
                Node node = node(name, block);
                nodes.add(node);
                held.add(held(node, block));
                features.put(name, Set.copyOf(list(block.getOrDefault("activefeatures", ""))));
                list(block.getOrDefault("partitions", ""))
                        .forEach(one -> nodesOf.computeIfAbsent(one, any -> new ArrayList<>())
                                .add(name));
            }
            if (block.containsKey(PARTITION)) {
                if (block.getOrDefault("default", "").equals("YES")) {
                    standard = Optional.of(block.get(PARTITION));
                }
                if (!block.getOrDefault("state", "UP").equals("UP")) {
                    closed.add(block.get(PARTITION));
                }
            }
        }
        closed.forEach(name -> nodesOf.put(name, List.of()));
        if (standard.isEmpty() && nodesOf.size() > 1) {
            notes.add("the default partition is not known; a job that names none may go to any node. Maybe add what"
                    + " scontrol show partition prints");
            nodesOf.put("", nodes.stream().map(Node::name).toList());
            standard = Optional.of("");
        }
        Cluster cluster = Cluster.of(nodes);
        List<Placement> placements = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            String name = nodes.get(i).name();
            NodeState node = cluster.node(name).orElseThrow();
            Pod pod = held.get(i);
            Optional<Placement> placed = SlurmScheduler.place(node, pod);
            placed.ifPresent(placements::add);
            if (placed.isEmpty()) {
                notes.add("node " + name + ": its jobs hold more than it has; it is left out");
                features.remove(name);
                nodesOf.replaceAll((partition, names) ->
                        names.stream().filter(one -> !one.equals(name)).toList());
            }
        }
        return new ScontrolNodes(
                cluster.withAll(placements),
                new SlurmPartitions(
                        nodesOf, standard.or(() -> nodesOf.keySet().stream().findFirst()), features),
                notes);
    }

    /** Each object begins a line; its further lines are indented. */
    private static List<Map<String, String>> blocks(String text) {
        List<Map<String, String>> blocks = new ArrayList<>();
        for (String line : text.lines().toList()) {
            if (blocks.isEmpty() || !line.isBlank() && !Character.isWhitespace(line.charAt(0))) {
                blocks.add(new LinkedHashMap<>());
            }
            Map<String, String> block = blocks.get(blocks.size() - 1);
            for (String word : line.strip().split("\\s+", -1)) {
                int equals = word.indexOf('=');
                if (equals > 0) {
                    block.putIfAbsent(word.substring(0, equals).toLowerCase(Locale.ROOT), word.substring(equals + 1));
                }
            }
        }
        return blocks;
    }

    private static Node node(String name, Map<String, String> block) {
        List<SlurmGres> gres = items(block.getOrDefault("gres", "")).stream()
                .map(item -> SlurmGres.parse(bare(item)))
                .filter(SlurmGres::isOfGpu)
                .toList();
        long cpus = number(name, block, "cpuefctv", number(name, block, "cputot", 1));
        long memoryMib = number(name, block, "realmemory", 1) - number(name, block, "memspeclimit", 0);
        return SlurmNode.of(name, cpus, Math.max(1, memoryMib), gres);
    }

    private static long number(String node, Map<String, String> block, String key, long absent) {
        String text = block.get(key);
        if (text == null || text.equals("N/A")) {
            return absent;
        }
        if (!text.matches("[0-9]{1,12}")) {
            throw new IllegalArgumentException(
                    "node \"" + node + "\": " + key + " must be a whole number, got \"" + text + "\"");
        }
        return Long.parseLong(text);
    }

    /** What the jobs on a node hold together. */
    private static Pod held(Node node, Map<String, String> block) {
        Resources resources = new Resources(
                number(node.name(), block, "cpualloc", 0) * 1_000, number(node.name(), block, "allocmem", 0));
        Pod.Builder pod =
                Pod.builder("jobs-on-" + node.name()).container(Container.of("jobs", resources, GpuRequest.none()));
        List<GpuRequest> requests = block.containsKey("gresused")
                ? items(block.get("gresused")).stream()
                        .flatMap(item -> used(node, item).stream())
                        .toList()
                : allocated(block.getOrDefault("alloctres", ""));
        for (int i = 0; i < requests.size(); i++) {
            pod.container(Container.of("gres-" + i, Resources.NONE, requests.get(i)));
        }
        return pod.build();
    }

    /** {@code gpu:a100:2(IDX:0-1)}, {@code mps:100(IDX:0)} or {@code shard:6(2/4,4/4)}. */
    private static List<GpuRequest> used(Node node, String item) {
        SlurmGres gres = SlurmGres.parse(bare(item));
        String where = item.contains("(") ? item.substring(item.indexOf('(') + 1, item.lastIndexOf(')')) : "";
        if (gres.count() == 0 || !gres.isOfGpu()) {
            return List.of();
        }
        List<Integer> indexes = where.startsWith("IDX:") && !where.equals("IDX:N/A")
                ? SlurmNames.expand("[" + where.substring("IDX:".length()) + "]").stream()
                        .map(Integer::valueOf)
                        .toList()
                : List.of();
        GpuSelector selector = gres.type().isEmpty() ? GpuSelector.ANY : GpuSelector.models(gres.type());
        if (!gres.isShared()) {
            return List.of(GpuRequest.exclusive((int) gres.count(), on(node, selector, indexes)));
        }
        List<GpuRequest> shares = new ArrayList<>();
        if (where.contains("/")) {
            String[] parts = where.split(",", -1);
            for (int gpu = 0; gpu < parts.length; gpu++) {
                long slots = Long.parseLong(parts[gpu].substring(0, parts[gpu].indexOf('/')));
                addShare(node, slots, gpu, shares);
            }
            return shares;
        }
        long left = gres.count();
        for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
            if (indexes.isEmpty() || indexes.contains(gpu)) {
                long slots = Math.min(left, node.gpus().get(gpu).slots());
                addShare(node, slots, gpu, shares);
                left -= slots;
            }
        }
        return shares;
    }

    private static void addShare(Node node, long slots, int gpu, List<GpuRequest> shares) {
        if (slots > 0) {
            shares.add(GpuRequest.share(0, GpuMemory.none())
                    .withSlots((int) slots)
                    .withSelector(on(node, GpuSelector.ANY, List.of(gpu))));
        }
    }

    private static GpuSelector on(Node node, GpuSelector selector, List<Integer> gpus) {
        return selector.withAllowedUuids(gpus.stream()
                .filter(gpu -> gpu < node.gpus().size())
                .map(gpu -> node.gpus().get(gpu).uuid())
                .collect(Collectors.toSet()));
    }

    /** The GPUs of {@code cpu=16,mem=125G,gres/gpu=2,gres/gpu:a100=2}: by type where types are counted. */
    private static List<GpuRequest> allocated(String tres) {
        Map<String, Integer> byType = new TreeMap<>();
        for (String item : list(tres)) {
            String[] parts = item.split("=", -1);
            if (parts.length == 2 && parts[0].matches("gres/gpu(:.+)?") && parts[1].matches("[0-9]{1,4}")) {
                byType.put(parts[0].substring("gres/gpu".length()).replace(":", ""), Integer.valueOf(parts[1]));
            }
        }
        if (byType.size() > 1) {
            byType.remove("");
        }
        List<GpuRequest> requests = new ArrayList<>();
        byType.forEach((type, count) -> {
            if (count > 0) {
                requests.add(GpuRequest.exclusive(count, type.isEmpty() ? GpuSelector.ANY : GpuSelector.models(type)));
            }
        });
        return requests;
    }

    private static String bare(String item) {
        return item.replaceAll("\\(.*", "");
    }

    private static List<String> list(String text) {
        return text.isEmpty() || text.equals("(null)") ? List.of() : List.of(text.split(",", -1));
    }

    /** Items between the commas that are not in brackets. */
    private static List<String> items(String text) {
        return list(text.replaceAll(",(?=[^()]*\\))", ";")).stream()
                .map(item -> item.replace(';', ','))
                .filter(item -> !bare(item).endsWith(":"))
                .toList();
    }
}
