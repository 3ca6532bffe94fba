package io.gpusched.kubernetes.write;

import io.gpusched.manifests.group.GroupCounts;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.group.GroupVocabulary;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The status of a group object as the controller of its vocabulary writes it: Kubernetes' own has a condition that stays once
 * it is true; T9k counts pods and has two conditions; Volcano and coscheduling have a phase and counts; KAI has counts, and conditions of
 * scheduling under a name of their own.
 */
final class GroupStatus {
    private final GroupSpec spec;
    private final GroupCounts counts;
    private final String refusal;
    private final Map<String, Object> status = new LinkedHashMap<>();
    private final List<Map<String, Object>> conditions = new ArrayList<>();
    private final String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();

    private GroupStatus(GroupSpec spec, GroupCounts counts, String refusal, Map<String, Object> before) {
        this.spec = spec;
        this.counts = counts;
        this.refusal = refusal;
        status.putAll(before);
        if (status.get(conditionsField()) instanceof List<?> list) {
            for (Object one : list) {
                Map<String, Object> condition = new LinkedHashMap<>();
                copy(one, condition);
                conditions.add(condition);
            }
        }
    }

    private static void copy(Object from, Map<String, Object> to) {
        if (from instanceof Map<?, ?> map) {
            map.forEach((key, value) -> to.put(String.valueOf(key), value));
        }
    }

    /**
     * Returns the status that a group should have.
     *
     * @param refusal why it was not placed when it was tried last; empty if it was, or was not tried
     * @param before the status that it has; all of it that is not written here stays
     */
    static Map<String, Object> of(GroupSpec spec, GroupCounts counts, String refusal, Map<String, Object> before) {
        GroupStatus status = new GroupStatus(spec, counts, refusal, before);
        switch (spec.key().vocabulary()) {
            case KUBERNETES -> status.kubernetes();
            case T9K -> status.t9k();
            case VOLCANO -> status.volcano();
            case COSCHEDULING -> status.coscheduling();
            case KAI -> status.kai();
        }
        if (!status.conditions.isEmpty()) {
            status.status.put(status.conditionsField(), status.conditions);
        }
        return status.status;
    }

    private String conditionsField() {
        return spec.key().vocabulary() == GroupVocabulary.KAI ? "schedulingConditions" : "conditions";
    }

    private boolean isPlaced() {
        return counts.bound() >= spec.minimum();
    }

    private void kubernetes() {
        String type = "PodGroupInitiallyScheduled";
        boolean started =
                conditions.stream().anyMatch(one -> type.equals(one.get("type")) && "True".equals(one.get("status")));
        if (isPlaced() && !started) {
            condition(type, "True", "Scheduled", "the minimum is placed");
        } else if (!started && !refusal.isEmpty()) {
            condition(type, "False", "Unschedulable", refusal);
        }
    }

    private void t9k() {
        status.put("pending", counts.pending());
        countStarted();
        status.put("unknown", counts.unknown());
        status.put("allocated", allocated());
        boolean enough = counts.suffice(spec);
        condition(
                "SufficientGroupMember",
                enough ? "True" : "False",
                enough ? "SufficientMemberPods" : "InsufficientMemberPods",
                counts.members() + " pods, the minimum is " + spec.minimum());
        if (isPlaced()) {
            condition("GroupScheduled", "True", "PodGroupScheduled", "the minimum is placed");
        } else if (!refusal.isEmpty()) {
            condition("GroupScheduled", "False", "Unschedulable", refusal);
        }
    }

    private Map<String, String> allocated() {
        Map<String, String> amounts = new TreeMap<>();
        counts.allocated().forEach((resource, amount) -> amounts.put(resource, text(amount)));
        return amounts;
    }

    /** As Kubernetes writes amounts: parts of a whole in thousandths. */
    private static String text(BigDecimal amount) {
        BigDecimal whole = amount.setScale(0, RoundingMode.CEILING);
        return whole.compareTo(amount) == 0
                ? whole.toPlainString()
                : amount.movePointRight(3).setScale(0, RoundingMode.CEILING).toPlainString() + "m";
    }

    private void volcano() {
        countStarted();
        status.put("phase", volcanoPhase());
        if (isPlaced()) {
            condition("Scheduled", "True", "tasks in gang are ready to be scheduled", "");
            opposite("Unschedulable");
        } else if (!refusal.isEmpty()) {
            String reason = counts.suffice(spec) ? "NotEnoughResources" : "NotEnoughTasks";
            condition("Unschedulable", "True", reason, refusal);
            opposite("Scheduled");
        }
    }

    private String volcanoPhase() {
        if (isPlaced()) {
            boolean over = counts.succeeded() > 0 && counts.succeeded() == counts.members();
            return over ? "Completed" : "Running";
        }
        if (counts.running() > 0) {
            return "Unknown";
        }
        return counts.suffice(spec) ? "Inqueue" : "Pending";
    }

    private void coscheduling() {
        countStarted();
        status.put("scheduled", counts.bound());
        String phase = coschedulingPhase();
        status.put("phase", phase);
        if (!"Pending".equals(phase)) {
            status.putIfAbsent("scheduleStartTime", now);
        }
    }

    private String coschedulingPhase() {
        int started = counts.running() + counts.succeeded();
        if (counts.succeeded() >= spec.minimum()) {
            return "Finished";
        }
        if (counts.failed() > 0 && counts.failed() + started >= spec.minimum()) {
            return "Failed";
        }
        if (started >= spec.minimum()) {
            return "Running";
        }
        if (isPlaced()) {
            return "Scheduled";
        }
        return counts.suffice(spec) ? "Scheduling" : "Pending";
    }

    private void kai() {
        status.put("pending", counts.pending());
        countStarted();
        if (isPlaced()) {
            opposite("UnschedulableOnNodePool");
        } else if (!refusal.isEmpty()) {
            condition("UnschedulableOnNodePool", "True", "Unschedulable", refusal);
        }
    }

    private void countStarted() {
        status.put("running", counts.running());
        status.put("succeeded", counts.succeeded());
        status.put("failed", counts.failed());
    }

    private boolean hasTransitionId() {
        GroupVocabulary vocabulary = spec.key().vocabulary();
        return vocabulary == GroupVocabulary.VOLCANO || vocabulary == GroupVocabulary.T9K;
    }

    /** Where two conditions say the same from two sides, one of them is no longer true. */
    private void opposite(String type) {
        if (conditions.stream().anyMatch(one -> type.equals(one.get("type")))) {
            condition(type, "False", "", "");
        }
    }

    private void condition(String type, String value, String reason, String message) {
        Map<String, Object> condition = conditions.stream()
                .filter(one -> type.equals(one.get("type")))
                .findFirst()
                .orElse(null);
        if (condition == null) {
            condition = new LinkedHashMap<>();
            condition.put("type", type);
            conditions.add(condition);
        }
        if (!value.equals(condition.get("status"))) {
            condition.put("lastTransitionTime", now);
            if (hasTransitionId()) {
                condition.put("transitionID", UUID.randomUUID().toString());
            }
        }
        condition.put("status", value);
        condition.put("reason", reason);
        condition.put("message", message);
    }
}
