package io.gpusched.cli.look;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import io.gpusched.manifests.cluster.PendingPods;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.yaml.InputException;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
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

    private static final String OTHERWISE =
            "Maybe its scheduler waits for a quota, a queue or pods of higher priority.";

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
    int look(SeenCluster seen, PrintWriter out, ObjectNode answer) {
        PodId id = PodId.of(name.contains("/") ? name : namespace + "/" + name);
        Pod pod = seen.pod(id).orElseThrow(() -> notFound(seen, id));
        String who = "pod " + id.namespace() + "/" + id.name();
        answer.put("pod", id.toString());
        if (SeenCluster.hasEnded(pod)) {
            out.println(who + " has ended: " + pod.getStatus().getPhase());
            answer.put("state", "ended");
            return 0;
        }
        String node = SeenCluster.nodeOf(pod);
        if (!node.isEmpty()) {
            Optional<Placement> placement = seen.cluster().placement(id);
            answer.put("state", "running");
            placement.ifPresent(held -> answer.set("placement", JsonAnswer.placement(held)));
            out.println(who + " is on node " + node
                    + placement
                            .filter(Held::any)
                            .map(held -> ", where it holds " + Held.words(held, seen))
                            .orElse(""));
            return 0;
        }
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            out.println(who + " is being deleted before it got a node");
            answer.put("state", "ended");
            return 0;
        }
        return waits(seen, pod, who, out, answer);
    }

    private static int waits(SeenCluster seen, Pod pod, String who, PrintWriter out, ObjectNode json) {
        String scheduler = Objects.requireNonNullElse(pod.getSpec().getSchedulerName(), "default-scheduler");
        out.println(who + " is pending (scheduler: " + scheduler + ")");
        condition(pod).ifPresent(words -> out.println("its scheduler's last message: " + words));
        json.put("state", "pending").put("scheduler", scheduler);
        condition(pod).ifPresent(words -> json.put("lastMessage", words));
        List<String> gates = pod.getSpec().getSchedulingGates().stream()
                .map(PodSchedulingGate::getName)
                .toList();
        if (!gates.isEmpty()) {
            out.println("its scheduling gates keep it pending: " + String.join(", ", gates) + "; without them:");
        }
        Question question = new Question(seen, pod);
        Question.Answer answer = question.ask();
        question.notes().forEach(out::println);
        JsonAnswer.texts(json.putArray("notes"), question.notes());
        Optional<ClaimQuestion.Answer> claims = question.askClaims();
        if (answer.placement().isPresent() && claims.isPresent()) {
            return claims(claims.get(), out, json);
        }
        json.put("hasRoom", answer.placement().isPresent());
        answer.placement().ifPresent(placement -> json.set("placement", JsonAnswer.placement(placement)));
        json.put("refusal", answer.refusal());
        out.println(answer.placement()
                .map(placement -> room(seen, placement, answer))
                .orElseGet(() -> PlainWords.of(answer.refusal(), seen)));
        if (answer.placement().isEmpty()) {
            List<PodId> lower = lower(seen, pod);
            JsonAnswer.pods(json.putArray("lowerPriority"), lower);
            if (!lower.isEmpty()) {
                out.println("its scheduler may evict pods of lower priority that hold GPUs: " + Moves.names(lower));
            }
            List<PodId> ending = holding(seen, one -> one.getMetadata().getDeletionTimestamp() != null);
            if (!ending.isEmpty()) {
                out.println("pods that are being deleted still hold GPUs: " + Moves.names(ending));
            }
        }
        if (answer.placement().isEmpty() && seen.asksForGpus(pod)) {
            seen.cluster().nodes().stream()
                    .filter(node -> node.gpuCount() == 0)
                    .flatMap(node -> seen
                            .promised(node.name())
                            .map(label -> "node " + node.name() + " is to have GPUs and reports none yet (label "
                                    + label + ")")
                            .stream())
                    .limit(MOST_NAMES)
                    .forEach(out::println);
        }
        return answer.placement().isPresent() ? 0 : 1;
    }

    /** The pods that hold GPUs and have a lower priority than a pod that may have others evicted, in order. */
    private static List<PodId> lower(SeenCluster seen, Pod pod) {
        int priority = PendingPods.priority(pod);
        return "Never".equals(pod.getSpec().getPreemptionPolicy())
                ? List.of()
                : holding(seen, one -> PendingPods.priority(one) < priority);
    }

    /** Those of some running pods that hold GPUs, in order. */
    private static List<PodId> holding(SeenCluster seen, Predicate<Pod> some) {
        return seen.running().stream()
                .filter(some)
                .map(SeenCluster::idOf)
                .filter(id -> seen.cluster().placement(id).filter(Held::any).isPresent())
                .sorted()
                .toList();
    }

    /** The rest has room; its claims decide. */
    private static int claims(ClaimQuestion.Answer answer, PrintWriter out, ObjectNode json) {
        json.put("hasRoom", answer.hasRoom());
        json.put("refusal", answer.hasRoom() ? "" : String.join("\n", answer.lines()));
        if (answer.hasRoom()) {
            json.put("claims", answer.lines().get(0));
            out.println("there is room now: " + answer.lines().get(0) + "\n" + OTHERWISE);
            return 0;
        }
        answer.lines().forEach(out::println);
        return 1;
    }

    private static String room(SeenCluster seen, Placement placement, Question.Answer answer) {
        return "there is room now: on node " + placement.node()
                + (Held.any(placement) ? " for " + Held.words(placement, seen) : "")
                + (answer.members() > 1 ? ", with " + (answer.members() - 1) + " more of its group" : "")
                + "\n" + OTHERWISE;
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
                "pod " + id.namespace() + "/" + id.name(),
                0,
                "",
                "the cluster has no such pod" + (names.isEmpty() ? "" : ". Maybe one of these: " + names));
    }
}
