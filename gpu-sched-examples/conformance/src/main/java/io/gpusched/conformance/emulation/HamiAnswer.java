package io.gpusched.conformance.emulation;

import io.gpusched.dialect.hami.HamiReason;
import io.gpusched.dialect.vgpu.VgpuShare;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What HAMi answers for one container on the GPUs of a node. */
public sealed interface HamiAnswer {
    /**
     * The container fits.
     *
     * @param shares what it gets, in the order in which the GPUs were found
     */
    record Chosen(List<VgpuShare> shares) implements HamiAnswer {
        /** Copies the list. */
        public Chosen {
            shares = List.copyOf(shares);
        }
    }

    /**
     * The container does not fit.
     *
     * @param reason HAMi's own text, such as {@code 1/3 CardInsufficientMemory, 2/3 CardTypeMismatch}
     */
    record Refused(String reason) implements HamiAnswer {
        /** Returns a refusal of the node as such. */
        static Refused of(HamiReason reason) {
            return new Refused(reason.word());
        }

        /** Returns a refusal that counts GPUs under each reason, in the order of the texts. */
        static Refused counted(Map<HamiReason, Integer> counts, int gpus) {
            return new Refused(counts.entrySet().stream()
                    .map(entry ->
                            entry.getValue() + "/" + gpus + " " + entry.getKey().word())
                    .sorted()
                    .collect(Collectors.joining(", ")));
        }
    }

    /** Counts GPUs by reason. */
    final class Tally {
        private final Map<HamiReason, Integer> counts = new EnumMap<>(HamiReason.class);

        Tally() {}

        void add(HamiReason reason, int gpus) {
            if (gpus > 0) {
                counts.merge(reason, gpus, Integer::sum);
            }
        }

        Refused refused(int gpus) {
            return Refused.counted(counts, gpus);
        }
    }
}
