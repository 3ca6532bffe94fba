package io.gpusched.dialect.hami.vendor;

import io.gpusched.model.Gpu;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How a chip can be cut by templates: vectors of memory, AI cores and AI CPUs, without places. */
final class ChipGeometry {
    private static final String MEMORY = "memory-mib";
    private static final String AI_CORES = "aicore";
    private static final String AI_CPUS = "aicpu";
    private static final int MOST = 255;

    private ChipGeometry() {}

    /** Returns the geometry of a chip that gives away so much memory; templates with more are left out. */
    static PartitionGeometry of(ChipTemplates chip, long memoryMib) {
        NamedAmounts totals = amounts(memoryMib, chip.aiCores(), chip.aiCpus(), chip);
        List<PartitionProfile> profiles = chip.templates().stream()
                .filter(template -> most(template, totals, chip) > 0)
                .map(template -> PartitionProfile.template(template.name(), most(template, totals, chip))
                        .withMemoryMib(template.memoryMib())
                        .withComputeMillis(computeMillis(template, chip))
                        .withCounters(amounts(template.memoryMib(), template.aiCores(), template.aiCpus(), chip)))
                .toList();
        return profiles.isEmpty()
                ? PartitionGeometry.NONE
                : PartitionGeometry.of("chip templates", 0, totals, profiles);
    }

    /** What is not told of the chip is not counted. */
    private static NamedAmounts amounts(long memoryMib, int aiCores, int aiCpus, ChipTemplates chip) {
        Map<String, Long> amounts = new TreeMap<>();
        amounts.put(MEMORY, memoryMib);
        if (chip.aiCores() > 0) {
            amounts.put(AI_CORES, (long) aiCores);
        }
        if (chip.aiCpus() > 0) {
            amounts.put(AI_CPUS, (long) aiCpus);
        }
        return NamedAmounts.of(amounts);
    }

    private static int most(ChipTemplate template, NamedAmounts totals, ChipTemplates chip) {
        NamedAmounts one = amounts(template.memoryMib(), template.aiCores(), template.aiCpus(), chip);
        long most = MOST;
        for (String name : totals.names()) {
            most = one.amount(name) == 0 ? most : Math.min(most, totals.amount(name) / one.amount(name));
        }
        return (int) most;
    }

    private static int computeMillis(ChipTemplate template, ChipTemplates chip) {
        return chip.aiCores() == 0
                ? 0
                : Math.min(Gpu.WHOLE_COMPUTE_MILLIS, Gpu.WHOLE_COMPUTE_MILLIS * template.aiCores() / chip.aiCores());
    }
}
