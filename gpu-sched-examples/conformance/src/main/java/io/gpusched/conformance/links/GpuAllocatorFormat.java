package io.gpusched.conformance.links;

import io.gpusched.analysis.PreferredGpus;
import io.gpusched.conformance.CaseResult;
import io.gpusched.conformance.Outcome;
import io.gpusched.conformance.VectorFormat;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuLinks.Link;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.workload.GpuAffinity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Files of score matrices and of what go-gpuallocator's policies take: {@code "matrices"}, {@code "bestEffort_sequences"} and
 * others. A sequence takes sets until none is left; static tables are what a sequence on that machine must give. Best effort is emulated
 * here: the library takes the best set for the one request, and does not divide the node for requests to come.
 */
public final class GpuAllocatorFormat implements VectorFormat {
    private static final String SYSTEM = "go-gpuallocator";
    private static final String POLICY_CASES = "bestEffort_";
    private static final String SIMPLE_CASES = "simple_";

    @Override
    public boolean matches(YamlNode root) {
        return root.has("matrices") && root.has("bestEffort_sequences");
    }

    @Override
    public List<CaseResult> run(YamlNode root) {
        return new Run(root).cases();
    }

    /** Which GPUs are taken. */
    private interface Rule {
        List<Integer> pick(Node machine, List<Integer> available, List<Integer> included, int size);
    }

    private static final Rule BEST_EFFORT =
            (machine, available, included, size) -> BestEffort.pick(machine.links(), available, included, size);
    private static final Rule BEST_SET = of(GpuAffinity.ANY);
    private static final Rule LOWEST = of(GpuAffinity.ANY.withChoice(GpuAffinity.Choice.LOWEST_INDEXES));

    private static Rule of(GpuAffinity affinity) {
        return (machine, available, included, size) -> PreferredGpus.of(machine, available, included, size, affinity);
    }

    /** One file. */
    private static final class Run {
        private final YamlNode root;
        private final Map<String, Node> machines = new TreeMap<>();
        private final List<CaseResult> results = new ArrayList<>();

        Run(YamlNode root) {
            this.root = root;
            root.need("matrices").map().forEach((name, matrix) -> machines.put(name, machine(name, matrix)));
        }

        private static Node machine(String name, YamlNode matrix) {
            List<List<Link>> rows = new ArrayList<>();
            for (YamlNode row : matrix.list()) {
                rows.add(row.list().stream()
                        .map(score -> new Link(score.integer(), score.integer() / 100))
                        .toList());
            }
            try {
                return Node.builder(name)
                        .gpus(rows.size(), GpuModel.of("nvidia", name, 16_384))
                        .links(GpuLinks.of(rows, List.of()))
                        .build();
            } catch (IllegalArgumentException e) {
                throw matrix.error(String.valueOf(e.getMessage()));
            }
        }

        List<CaseResult> cases() {
            root.map().forEach((name, cases) -> {
                if (name.startsWith(POLICY_CASES) && cases.kind() == YamlNode.Kind.LIST) {
                    policyCases(name, POLICY_CASES, cases, BEST_EFFORT);
                } else if (name.startsWith(SIMPLE_CASES)) {
                    policyCases(name, SIMPLE_CASES, cases, LOWEST);
                }
            });
            root.need("bestEffort_sequences").map().forEach(this::sequences);
            root.at("extra_allFree").map().forEach(this::allFree);
            root.at("singleBestSet_differs").map().forEach(this::singleSets);
            root.at("static").map().forEach(this::tables);
            return results;
        }

        private Node machine(YamlNode at, String name) {
            Node machine = machines.get(name);
            if (machine == null) {
                throw at.error("needs the matrix \"" + name + "\"");
            }
            return machine;
        }

        private void policyCases(String name, String prefix, YamlNode cases, Rule rule) {
            Node machine = machine(cases, name.substring(prefix.length()));
            for (YamlNode one : cases.list()) {
                List<Integer> available = one.at("available").isPresent() ? numbers(one.at("available")) : all(machine);
                List<Integer> got = pick(
                        machine,
                        available,
                        numbers(one.need("required")),
                        one.need("size").integer(),
                        rule);
                check(name + " " + one.at("name").textOr(one.path()), "choose", one.need("expected"), got);
            }
        }

        private void sequences(String name, YamlNode sequences) {
            Node machine = machine(sequences, name);
            for (YamlNode sequence : sequences.list()) {
                int size = sequence.need("size").integer();
                List<Integer> left = all(machine);
                int step = 0;
                for (YamlNode expected : sequence.need("expectedInOrder").list()) {
                    List<Integer> got = pick(machine, left, List.of(), size, BEST_EFFORT);
                    left.removeAll(got);
                    check(name + " size " + size + " step " + step++, "sequence", expected, got);
                }
            }
        }

        private void allFree(String name, YamlNode sizes) {
            Node machine = machine(sizes, name);
            sizes.map().forEach((size, expected) -> {
                List<Integer> got = pick(machine, all(machine), List.of(), Integer.parseInt(size), BEST_EFFORT);
                check(name + " all free, size " + size, "choose", expected.need("set"), got);
            });
        }

        private void singleSets(String name, YamlNode sizes) {
            Node machine = machine(sizes, name);
            sizes.map().forEach((size, expected) -> {
                List<Integer> got = pick(machine, all(machine), List.of(), Integer.parseInt(size), BEST_SET);
                check(name + " best set of " + size, "best-set", expected.need("single"), got);
            });
        }

        private void tables(String name, YamlNode sizes) {
            if (!machines.containsKey(name)) {
                String reason = "a table of machines refuses other sizes; links serve every size";
                for (YamlNode size : sizes.list()) {
                    add("static size " + size.integer(), "static-size", Outcome.skipped(reason));
                }
                return;
            }
            Node machine = machine(sizes, name);
            sizes.map().forEach((size, table) -> {
                Set<List<Integer>> expected = new HashSet<>();
                table.list().forEach(set -> expected.add(numbers(set)));
                Set<List<Integer>> got = new HashSet<>();
                List<Integer> left = all(machine);
                for (int i = 0; i < expected.size(); i++) {
                    List<Integer> set = pick(machine, left, List.of(), Integer.parseInt(size), BEST_EFFORT);
                    left.removeAll(set);
                    got.add(set);
                }
                Outcome outcome = got.equals(expected)
                        ? Outcome.passed()
                        : Outcome.failed(table.path(), expected.toString(), got.toString());
                add("static " + name + " size " + size, "static-table", outcome);
            });
        }

        private static List<Integer> pick(
                Node machine, List<Integer> available, List<Integer> included, int size, Rule rule) {
            boolean legal = size > 0 && size <= available.size() && available.containsAll(included);
            return legal ? rule.pick(machine, available, included, size) : List.of();
        }

        private void check(String id, String kind, YamlNode expected, List<Integer> got) {
            List<Integer> set = numbers(expected).stream().sorted().toList();
            Outcome outcome = set.equals(got)
                    ? Outcome.passed()
                    : Outcome.failed(expected.path(), set.toString(), got.toString());
            add(id, kind, outcome);
        }

        private void add(String id, String kind, Outcome outcome) {
            results.add(new CaseResult(id, SYSTEM, kind, "match", outcome));
        }

        private static List<Integer> numbers(YamlNode list) {
            return list.list().stream().map(YamlNode::integer).toList();
        }

        private static List<Integer> all(Node machine) {
            return new ArrayList<>(
                    IntStream.range(0, machine.gpus().size()).boxed().toList());
        }
    }
}
