package io.gpusched.conformance.dra;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.claim.ClaimAllocator;
import io.gpusched.claim.ClaimDecision;
import io.gpusched.claim.ClaimNode;
import io.gpusched.claim.ClaimRefusal;
import io.gpusched.conformance.JsonValues;
import io.gpusched.manifests.yaml.YamlNode;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;

/** Measures how long the allocator of devices takes for recorded cases: the CPU time of its thread, which a busy machine does not change. */
public final class DraTimes {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final double NANOS_PER_MILLI = 1e6;

    private DraTimes() {}

    /**
     * Returns a line for each verdict of a case and each mode: the least and the median time of the later half of the calls, and what
     * was decided.
     *
     * @param element a case of {@link DraFormat}
     * @param calls how many calls are made, from 1
     */
    public static String of(YamlNode element, int calls) {
        JsonNode vector = JsonValues.of(element);
        DraCase read = DraCase.of(vector);
        StringBuilder lines = new StringBuilder();
        for (JsonNode expected : vector.path("expected")) {
            ClaimNode node = read.node(expected.path("node").asText());
            String name = element.need("name").text() + " on " + node.node().name();
            lines.append(line(name + ", EXACT", ClaimAllocator.exact(), read, node, calls))
                    .append(line(name + ", FIRST_FIT", ClaimAllocator.firstFit(), read, node, calls));
        }
        return lines.toString();
    }

    private static String line(String name, ClaimAllocator mode, DraCase read, ClaimNode node, int calls) {
        ClaimAllocator allocator = mode.withFeatures(read.features());
        long[] nanos = new long[calls];
        String decided = "";
        for (int i = 0; i < calls; i++) {
            long before = THREADS.getCurrentThreadCpuTime();
            ClaimDecision decision =
                    allocator.allocate(node, read.slices(), read.classes(), read.inUse(), read.claims());
            nanos[i] = THREADS.getCurrentThreadCpuTime() - before;
            decided = words(decision);
        }
        long[] later = Arrays.copyOfRange(nanos, calls / 2, calls);
        Arrays.sort(later);
        return String.format(
                Locale.ROOT,
                "%-60s %8.3f ms least, %8.3f ms median, %s%n",
                name,
                later[0] / NANOS_PER_MILLI,
                later[later.length / 2] / NANOS_PER_MILLI,
                decided);
    }

    private static String words(ClaimDecision decision) {
        if (decision instanceof ClaimDecision.Allocated allocated) {
            return "allocated " + allocated.certainty() + " in " + allocated.steps() + " steps";
        }
        return decision instanceof ClaimRefusal refused
                ? "refused " + refused.certainty() + " in " + refused.steps() + " steps"
                : decision.toString();
    }
}
