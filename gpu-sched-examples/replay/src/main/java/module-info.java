/**
 * A flight recorder for schedulers: what was seen and decided is written down, and played again.
 *
 * <p>Begin at {@link io.gpusched.replay.Recorder}.
 */
module io.gpusched.replay {
    requires transitive io.gpusched.core;
    requires transitive io.gpusched.json;
    requires com.fasterxml.jackson.databind;
    requires static transitive org.jspecify;

    exports io.gpusched.replay;
}
