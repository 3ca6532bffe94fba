package io.gpusched.cli.look;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.gpusched.manifests.cluster.Kai;
import io.gpusched.manifests.cluster.KaiShares;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gpu-sched why POD}: why a pod of any scheduler waits, and what would help. */
@Command(
        name = "why",
        description =
                "Says why a pod waits, whichever scheduler it waits for, and the least that would make room for it."
                        + " Nothing is written to the cluster.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:it runs or there is room", "1:there is no room", "2:bad input, or no such pod"})
public final class WhyCommand extends LookCommand {
    private static final int MOST_NAMES = 5;

    @Parameters(paramLabel = "POD", description = "The pod: name or namespace/name.")
    private String name = "";

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NS",
            description = "Its namespace, where POD names none (default: ${DEFAULT-VALUE}).")
    private String namespace = "default";

    /** For the command line. */
    public WhyCommand() {}

    @Override
    int look(SeenCluster seen, PrintWriter out) {
        PodId id = PodId.of(name.contains("/") ? name : namespace + "/" + name);
        Pod pod = seen.pod(id).orElseThrow(() -> notFound(seen, id));
        String who = "pod " + id.namespace() + "/" + id.name();
        if (SeenCluster.hasEnded(pod)) {
            out.println(who + " has ended: " + pod.getStatus().getPhase());
            return 0;
        }
        String node = SeenCluster.nodeOf(pod);
        if (!node.isEmpty()) {
            Optional<Placement> placement = seen.cluster().placement(id);
            out.println(who + " is on node " + node
                    + placement
                            .filter(Held::any)
                            .map(held -> ", where it holds " + Held.words(held, seen.countsOnly(node)))
                            .orElse(""));
            return 0;
        }
        return waits(seen, pod, who, out);
    }

    private static int waits(SeenCluster seen, Pod pod, String who, PrintWriter out) {
        out.println(who + " waits for scheduler "
                + Objects.requireNonNullElse(pod.getSpec().getSchedulerName(), "default-scheduler"));
        condition(pod).ifPresent(words -> out.println("it was told: " + words));
        List<String> gates = pod.getSpec().getSchedulingGates().stream()
                .map(PodSchedulingGate::getName)
                .toList();
        if (!gates.isEmpty()) {
            out.println("its gates keep it from every scheduler: " + String.join(", ", gates)
                    + "; without them this would be so:");
        }
        Question question = new Question(seen, pod);
        Question.Answer answer = answer(seen, pod, question, out);
        question.notes().forEach(out::println);
        out.println(answer.placement()
                .map(placement -> room(seen, placement, answer))
                .orElseGet(answer::refusal));
        return answer.placement().isPresent() ? 0 : 1;
    }

    /** A part of a GPU is looked for on GPUs that are shared already, then a GPU that could be shared. */
    private static Question.Answer answer(SeenCluster seen, Pod pod, Question question, PrintWriter out) {
        Optional<String> part = Kai.part(pod);
        Set<String> shared = part.isEmpty() ? Set.of() : KaiShares.nodesFor(pod, seen.running());
        if (!shared.isEmpty()) {
            Question.Answer answer = question.askOn(shared);
            if (answer.placement().isPresent()) {
                out.println(
                        "it asks for a part of a GPU, " + part.get() + ", and finds it on one that is shared already");
                return answer;
            }
        }
        part.ifPresent(words -> out.println("it asks for a part of a GPU, " + words
                + "; no GPU that is shared already has it left, so it is taken for a whole one"));
        return question.ask();
    }

    private static String room(SeenCluster seen, Placement placement, Question.Answer answer) {
        return "there is room now: on node " + placement.node()
                + (Held.any(placement) ? " for " + Held.words(placement, seen.countsOnly(placement.node())) : "")
                + (answer.members() > 1 ? ", with " + (answer.members() - 1) + " more of its group" : "")
                + "\nMaybe its scheduler waits for a quota, a queue or pods of higher priority.";
    }

    /** What its scheduler told of it last. */
    static Optional<String> condition(Pod pod) {
        return pod.getStatus() == null
                ? Optional.empty()
                : pod.getStatus().getConditions().stream()
                        .filter(condition -> "PodScheduled".equals(condition.getType()))
                        .map(PodCondition::getMessage)
                        .filter(message -> message != null && !message.isBlank())
                        .findFirst();
    }

    private static InputException notFound(SeenCluster seen, PodId id) {
        List<PodId> same = seen.objects().pods().stream()
                .map(SeenCluster::idOf)
                .filter(other -> other.name().equals(id.name()))
                .toList();
        List<PodId> near =
                same.isEmpty() ? seen.waiting().stream().map(SeenCluster::idOf).toList() : same;
        String names = near.stream()
                .limit(MOST_NAMES)
                .map(pod -> pod.namespace() + "/" + pod.name())
                .collect(Collectors.joining(", "));
        return new InputException(
                "the cluster",
                0,
                "",
                "has no pod " + id.namespace() + "/" + id.name()
                        + (names.isEmpty() ? "" : ". Maybe one of these: " + names));
    }
}
