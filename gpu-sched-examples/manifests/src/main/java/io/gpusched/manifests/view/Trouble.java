package io.gpusched.manifests.view;

/**
 * Something the API server says that cannot be taken as it is: what follows is on the safe side.
 *
 * @param kind {@code Node} or {@code Pod}
 * @param namespace the namespace of the pod, empty for a node
 * @param name its name
 * @param uid its identity, empty for a node
 * @param reason one word, such as {@code GrantUnreadable}
 * @param message what is wrong and what follows
 */
public record Trouble(String kind, String namespace, String name, String uid, String reason, String message) {}
