/**
 * Clusters, requests, placements and decisions as JSON, and back.
 *
 * <p>Begin at {@link io.gpusched.json.JsonFormat}.
 */
module io.gpusched.json {
    requires transitive io.gpusched.core;
    requires com.fasterxml.jackson.databind;
    requires static transitive org.jspecify;

    exports io.gpusched.json;
}
