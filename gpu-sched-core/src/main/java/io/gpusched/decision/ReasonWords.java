package io.gpusched.decision;

import io.gpusched.decision.Amount.Quantity;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
            case NODE_SELECTOR -> "node selector does not match: " + facts("; ");
            case TAINT -> "taint not tolerated: " + facts(", ");
            case NODE_MODE -> modes() + asked();
            case TOO_FEW_GPUS ->
                (at(0).greatest() == 0
                                ? "no GPUs"
                                : "at most " + Quantity.GPUS.inWords(at(0).greatest()) + " on one node")
                        + ", asked " + at(0).asked();
            case GPU_SELECTOR ->
                "at most " + at(0).greatest() + " accepted GPU" + (at(0).greatest() == 1 ? "" : "s") + " on one node"
                        + asked() + also();
            case NODE_TOO_SMALL -> tooSmall();
            case GPU_TOO_SMALL ->
                asksPartitions()
                        ? (isOnePartition() || reason.facts().stream().anyMatch(Fact.Unknown.class::isInstance)
                                        ? "no GPU can hold it"
                                        : "the GPUs of one node cannot hold all of it")
                                + ", even with nothing running" + asked() + also()
                        : tooSmallGpus() + asked() + also();
            case CORDONED -> "cordoned";
            case GROUP_LOCALITY -> "not where members of its group run: " + facts(", ");
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
                "too few free cores: at most " + Amount.thousandths(at(0).greatest()) + " on one node, asked "
                        + Amount.thousandths(at(0).asked());
            case MEMORY ->
                "too little free memory: at most " + Amount.bytes(at(0).greatest()) + " on one node, asked "
                        + Amount.bytesAsked(at(0).asked());
            case RESOURCE -> resources();
            case IDLE_GPUS -> idle() + asked();
            case GPU_SHARE -> freeShares() + "; asked " + gpus();
            case PARTITION ->
                at(0).total() + (at(0).total() == 1 ? " place" : " places")
                        + " free for such a partition in total, at most " + at(0).greatest() + " on one node; asked "
                        + gpus();
            case GPU_LAYOUT ->
                "the containers cannot be laid out together; "
                        + (at(0).quantity() == Quantity.GPUS ? idle() : freeShares())
                        + asked();
            case SEARCH_LIMIT ->
                "the search reached its limit; " + inWords(at(0), at(0).total()) + " idle in total" + asked();
            case GROUP -> group();
        };
    }

    /** What nodes of one mode give out; of several their names. */
    private String modes() {
        if (reason.facts().size() > 1) {
            return "mode " + facts(" or ");
        }
        return switch (((Fact.Mode) reason.facts().get(0)).mode()) {
            case EXCLUSIVE -> "only whole GPUs are given out (mode EXCLUSIVE)";
            case SHARED -> "only shares of GPUs are given out (mode SHARED)";
            case MIXED -> "mode MIXED";
        };
    }

    /** Nodes that take no pods count into no amount. */
    private String tooSmall() {
        boolean others = reason.amounts().stream().anyMatch(amount -> amount.greatest() > 0);
        if (!others && !reason.facts().isEmpty()) {
            return "take no pods: " + facts("; ");
        }
        return (lacking().stream().allMatch(amount -> !amount.name().isEmpty() && amount.greatest() == 0)
                        ? "no " + lacking().stream().map(Amount::name).collect(Collectors.joining(" and no "))
                        : "at most " + join(" and ", Amount::greatest) + " on one node")
                + (reason.facts().isEmpty() ? "" : ", or no pods at all (" + facts("; ") + ")") + ", asked "
                + lacking().stream()
                        .map(amount -> amount.quantity() == Quantity.MEMORY_MIB
                                ? Amount.bytesAsked(amount.asked()) + " of memory"
                                : inWords(amount, amount.asked()))
                        .collect(Collectors.joining(", "));
    }

    /** GPUs that are cut for good count into no amount. */
    private String tooSmallGpus() {
        if (reason.amounts().stream().allMatch(amount -> amount.greatest() == 0)) {
            return "the GPUs are cut into partitions for good";
        }
        return reason.amounts().stream().noneMatch(Amount::fallsShort)
                ? "the GPUs of one node cannot hold all of it, even with nothing running"
                : "at most " + join(" and ", Amount::greatest) + " on one GPU, not enough even with nothing running";
    }

    /** The amounts that fall short; all if each is enough by itself. */
    private List<Amount> lacking() {
        List<Amount> lacking =
                reason.amounts().stream().filter(Amount::fallsShort).toList();
        return lacking.isEmpty() ? reason.amounts() : lacking;
    }

    private String join(String separator, ToLongFunction<Amount> value) {
        return lacking().stream()
                .map(amount -> inWords(amount, value.applyAsLong(amount)))
                .collect(Collectors.joining(separator));
    }

    private boolean asksPartitions() {
        return !reason.gpus().isEmpty()
                && reason.gpus().stream().allMatch(request -> request instanceof GpuRequest.Partition);
    }

    private boolean isOnePartition() {
        return reason.gpus().size() == 1
                && reason.gpus().get(0) instanceof GpuRequest.Partition one
                && one.instances() == 1;
    }

    private Amount at(int index) {
        return reason.amounts().get(index);
    }

    private static String inWords(Amount amount, long value) {
        return amount.name().isEmpty() ? amount.quantity().inWords(value) : Amount.words(amount.name(), value);
    }

    /** The facts, and then what no node knows. */
    private String facts(String separator) {
        String known = reason.facts().stream()
                .filter(fact -> !(fact instanceof Fact.Unknown))
                .map(Fact::toString)
                .collect(Collectors.joining(separator));
        return Stream.concat(
                        Stream.of(known).filter(text -> !text.isEmpty()),
                        reason.facts().stream()
                                .filter(Fact.Unknown.class::isInstance)
                                .map(Fact::toString))
                .collect(Collectors.joining("; "));
    }

    private String also() {
        return reason.facts().isEmpty() ? "" : "; " + facts("; ");
    }

    private String asked() {
        return ", asked " + gpus();
    }

    private String gpus() {
        return reason.gpus().isEmpty() ? "no GPU" : NodeTemplate.words(reason.gpus());
    }

    private String idle() {
        return inWords(at(0), at(0).total()) + " idle in total, at most " + at(0).greatest() + " on one node";
    }

    private String resources() {
        List<String> parts = new ArrayList<>();
        for (Amount amount : reason.amounts()) {
            parts.add(inWords(amount, amount.total()) + " free in total, at most "
                    + Amount.number(amount.name(), amount.greatest()) + " on one node, asked "
                    + Amount.number(amount.name(), amount.asked()));
        }
        return String.join("; ", parts);
    }

    private String freeShares() {
        List<String> parts = new ArrayList<>();
        for (Amount amount : lacking()) {
            String greatest = switch (amount.quantity()) {
                case GPU_COMPUTE_MILLIS -> Amount.thousandths(amount.greatest());
                case GPU_SLOTS -> Long.toString(amount.greatest());
                default -> Amount.bytes(amount.greatest());
            };
            parts.add(inWords(amount, amount.total()) + " free in total, at most " + greatest + " on one GPU");
        }
        return String.join("; ", parts);
    }

    private String group() {
        if (reason.facts().isEmpty()) {
            return "a member alone would fit, " + idle();
        }
        Fact.Members fact = (Fact.Members) reason.facts().get(0);
        return "member \"" + fact.member() + "\" (" + gpus() + ") alone would fit, but of " + at(0).asked()
                + " members needed together" + fact.where() + " " + at(0).total()
                + (at(0).total() == 1 ? " has room" : " have room")
                + (fact.roleLacks() > 0 ? "; role \"" + fact.role() + "\" lacks " + fact.roleLacks() : "");
    }
}
