package io.gpusched.decision;

import io.gpusched.decision.Amount.Quantity;
import java.util.ArrayList;
import java.util.List;

/** Says a {@link Reason} in words. */
final class ReasonWords {
    private final Reason reason;

    private ReasonWords(Reason reason) {
        this.reason = reason;
    }

    static String of(Reason reason) {
        return new ReasonWords(reason).words();
    }

    private String words() {
        return switch (reason.code()) {
            case TOPOLOGY_LEVEL, QUOTA -> facts("; ");
            case NODE_SELECTOR -> "labels not accepted, asked " + reason.asked();
            case TAINT -> "taint not tolerated: " + facts(", ");
            case NODE_MODE -> "mode " + facts(" or ") + asked();
            case TOO_FEW_GPUS ->
                "at most " + Quantity.GPUS.inWords(at(0).greatest()) + " on one node, asked " + at(0).asked();
            case GPU_SELECTOR ->
                "at most " + at(0).greatest() + " accepted GPU" + (at(0).greatest() == 1 ? "" : "s") + " on one node"
                        + asked();
            case NODE_TOO_SMALL -> tooSmall();
            case GPU_TOO_SMALL ->
                (reason.facts().isEmpty()
                                ? "at most " + inWords(at(0), at(0).greatest()) + " and "
                                        + inWords(at(1), at(1).greatest()) + " on one GPU, not enough"
                                : facts(", "))
                        + " even with nothing running" + asked();
            case CORDONED -> "cordoned";
            case NODE_NAME -> "not the one node that it may go to, " + facts(", ");
            case HOST_PORT -> "ports of the node that other pods take: " + facts(", ");
            case TOPOLOGY_SPREAD ->
                "too many pods in its domain, or in no domain at all, to spread over " + facts("; ");
            case POD_AFFINITY -> "no pod that it must be near in the same " + facts(", or the same ");
            case POD_ANTI_AFFINITY -> facts("; ");
            case GPU_UNHEALTHY ->
                at(0).total() + " unhealthy GPU" + (at(0).total() == 1 ? "" : "s") + ", too few others" + asked();
            case HELD_WHOLE -> "held as a whole by another pod";
            case POD_LIMIT -> inWords(at(0), at(0).total()) + " in total, as many as the nodes take";
            case NOT_EMPTY -> inWords(at(0), at(0).total()) + " in total run there, asked the whole node";
            case CPU ->
                at(0).total() + "m CPU free in total, at most " + at(0).greatest() + "m on one node, asked "
                        + at(0).asked() + "m";
            case MEMORY ->
                at(0).total() + " MiB of memory free in total, at most " + at(0).greatest() + " MiB on one node, asked "
                        + at(0).asked() + " MiB";
            case RESOURCE -> resources();
            case IDLE_GPUS -> idle() + asked();
            case GPU_SHARE -> freeShares() + "; asked " + reason.asked();
            case PARTITION ->
                at(0).total() + " places free for such a partition in total, at most " + at(0).greatest()
                        + " on one node; asked " + reason.asked();
            case GPU_LAYOUT -> "the containers cannot be laid out together; " + idle() + asked();
            case SEARCH_LIMIT ->
                "the search reached its limit; " + inWords(at(0), at(0).total()) + " idle in total" + asked();
            case GROUP -> group();
        };
    }

    /** Facts are that some of the nodes take no pods; the amounts are those of the others. */
    private String tooSmall() {
        boolean others = reason.amounts().stream().anyMatch(amount -> amount.greatest() > 0);
        if (!others && !reason.facts().isEmpty()) {
            return "take no pods: " + facts("; ");
        }
        return "at most " + at(0).greatest() + "m CPU and " + at(1).greatest() + " MiB of memory" + otherAmounts()
                + " on one node" + (reason.facts().isEmpty() ? "" : ", or no pods at all (" + facts("; ") + ")")
                + asked();
    }

    private Amount at(int index) {
        return reason.amounts().get(index);
    }

    private static String inWords(Amount amount, long value) {
        return amount.quantity().inWords(value);
    }

    private String facts(String separator) {
        return String.join(separator, reason.facts());
    }

    private String asked() {
        return ", asked " + reason.asked();
    }

    private String idle() {
        return inWords(at(0), at(0).total()) + " idle in total, at most " + at(0).greatest() + " on one node";
    }

    /** What nodes have at most of resources other than CPU and memory, where that is too little. */
    private String otherAmounts() {
        StringBuilder text = new StringBuilder();
        for (Amount amount : reason.amounts().subList(2, reason.amounts().size())) {
            text.append(" and ").append(amount.greatest()).append(' ').append(amount.name());
        }
        return text.toString();
    }

    private String resources() {
        List<String> parts = new ArrayList<>();
        for (Amount amount : reason.amounts()) {
            parts.add(amount.total() + " " + amount.name() + " free in total, at most " + amount.greatest()
                    + " on one node, asked " + amount.asked());
        }
        return String.join("; ", parts);
    }

    private String freeShares() {
        List<String> parts = new ArrayList<>();
        for (Amount amount : reason.amounts()) {
            String greatest = amount.quantity() == Quantity.GPU_COMPUTE_MILLIS
                    ? Amount.thousandths(amount.greatest())
                    : amount.greatest() + " MiB";
            parts.add(inWords(amount, amount.total()) + " free in total, at most " + greatest + " on one GPU");
        }
        return String.join("; ", parts);
    }

    /** Facts are the member, where the group must stay, and what is missing besides. */
    private String group() {
        if (reason.facts().isEmpty()) {
            return "a member alone would fit, " + idle();
        }
        return "member " + reason.facts().get(0) + " alone would fit, but of "
                + at(0).asked() + " members needed together" + reason.facts().get(1) + " " + at(0).total()
                + (at(0).total() == 1 ? " has room" : " have room")
                + reason.facts().get(2);
    }
}
