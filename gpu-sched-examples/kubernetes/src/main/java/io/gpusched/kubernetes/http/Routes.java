package io.gpusched.kubernetes.http;

import java.util.Map;
import java.util.TreeMap;

/** Which handler answers which method on which path. */
final class Routes {
    private final Map<String, Map<String, Handler>> byPath;

    private Routes(Map<String, Map<String, Handler>> byPath) {
        this.byPath = byPath;
    }

    static Routes of(Map<String, Map<String, Handler>> byPath) {
        Map<String, Map<String, Handler>> copy = new TreeMap<>();
        byPath.forEach((path, methods) -> copy.put(path, new TreeMap<>(methods)));
        return new Routes(copy);
    }

    /**
     * Returns the handler.
     *
     * @throws HttpProblem with status 404 or 405 if there is none
     */
    Handler find(String method, String path) {
        Map<String, Handler> methods = byPath.get(path);
        if (methods == null) {
            throw new HttpProblem(
                    404, "nothing is served at " + path + "; there is " + String.join(", ", byPath.keySet()));
        }
        Handler handler = methods.get(method);
        if (handler == null) {
            throw new HttpProblem(405, path + " takes " + String.join(", ", methods.keySet()) + ", got " + method);
        }
        return handler;
    }
}
