package io.gpusched.cli.place;

import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Fact;
import io.gpusched.dialect.BindingMetadata;
import io.gpusched.model.Placement;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What became of one pod or group. */
sealed interface Answer {
    /** Returns what was asked, such as {@code pod "p"}. */
    String subject();

    /**
     * It has a place.
     *
     * @param subject what was asked
     * @param parts each placement with what the system writes for it
     * @param waiting the members that wait
     * @param warnings what is worth a look
     */
    record Found(String subject, List<Part> parts, List<Waiting> waiting, List<Fact> warnings) implements Answer {}

    /**
     * A member that waits.
     *
     * @param pod its name
     * @param diagnosis why; empty where that is not known
     */
    record Waiting(String pod, Optional<Diagnosis> diagnosis) {}

    /**
     * One placement.
     *
     * @param placement where and what
     * @param metadata what the system writes
     */
    record Part(Placement placement, BindingMetadata metadata) {}

    /**
     * There is no room.
     *
     * @param subject what was asked
     * @param diagnosis why
     * @param words the system's own words by node
     */
    record NoRoom(String subject, Diagnosis diagnosis, Map<String, String> words) implements Answer {}

    /**
     * The system's rules forbid it, or it waits by them.
     *
     * @param rule the rule, with what breaks it
     */
    record Refused(String rule) implements Answer {
        @Override
        public String subject() {
            return "what was asked";
        }
    }
}
