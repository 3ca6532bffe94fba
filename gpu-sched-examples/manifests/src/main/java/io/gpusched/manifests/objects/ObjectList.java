package io.gpusched.manifests.objects;

import io.gpusched.manifests.yaml.DocumentSink;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The Kubernetes objects of a file, each handed on as soon as it is read: documents that follow each other, lists of Kubernetes and
 * plain lists are taken apart, however deep. An element of a typed list, such as a {@code NodeList}, need not repeat its kind.
 */
public final class ObjectList implements DocumentSink {
    private static final String LIST = "List";

    private final Consumer<YamlNode> objects;

    /** Hands objects on in the order of the file. */
    public ObjectList(Consumer<YamlNode> objects) {
        this.objects = objects;
    }

    /**
     * Returns the objects in the order of the file.
     *
     * @throws io.gpusched.manifests.yaml.InputException if a document is no object or has no kind
     */
    public static List<YamlNode> of(List<YamlNode> documents) {
        List<YamlNode> objects = new ArrayList<>();
        documents.forEach(new ObjectList(objects::add)::document);
        return List.copyOf(objects);
    }

    /** Returns whether a document is an object of Kubernetes, or a list of some. */
    public static boolean isOne(YamlNode document) {
        return document.elements() != null
                ? document.list().stream().anyMatch(ObjectList::isOne)
                : document.members() != null && document.at("kind").isPresent();
    }

    /** Takes what has a kind, or is given one by the list around it; what that list is may yet follow. */
    @Override
    public boolean item(YamlNode item, Map<String, YamlNode> around) {
        YamlNode kind = around.get("kind");
        String of =
                kind != null && kind.kind() == YamlNode.Kind.TEXT && kind.text().endsWith(LIST) ? listed(kind) : null;
        boolean isTaken =
                item.members() != null && (of != null || item.at("kind").isPresent());
        if (isTaken) {
            add(item, of == null ? "" : of, of == null ? "" : version(around));
        }
        return isTaken;
    }

    private static String listed(YamlNode kind) {
        return kind.text().substring(0, kind.text().length() - LIST.length());
    }

    private static String version(Map<String, YamlNode> list) {
        YamlNode version = list.get("apiVersion");
        return version == null ? "" : version.textOr("");
    }

    @Override
    public void document(YamlNode document) {
        add(document, "", "");
    }

    private void add(YamlNode value, String listed, String version) {
        if (value.elements() != null) {
            value.list().forEach(element -> add(element, listed, version));
            return;
        }
        if (value.members() == null) {
            throw value.error("must be an object of Kubernetes, got " + value.words());
        }
        YamlNode object = typed(value, listed, version);
        boolean isOwn = object.has("nodes");
        if (!object.at("kind").isPresent() && (isOwn || object.has("Name"))) {
            throw object.error((isOwn
                            ? "is a cluster in gpu-sched's own form, which gpu-sched place reads, and no object of Kubernetes."
                            : "is what kubectl describe prints, and no object of Kubernetes.")
                    + " Maybe give what \"kubectl get nodes,pods -A -o json\" prints");
        }
        YamlNode kind = object.need("kind");
        if (kind.text().endsWith(LIST) && (object.has("items") || kind.text().equals(LIST))) {
            String of = listed(kind);
            String ofVersion = version(object.map());
            object.at("items").list().forEach(item -> add(item, of, ofVersion));
        } else if (kind.text().equals("Status") && version(object.map()).equals("v1")) {
            throw object.error("is an answer of the API server and no object: "
                    + object.at("message").textOr(object.at("reason").textOr("no message")));
        } else {
            objects.accept(object);
        }
    }

    private static YamlNode typed(YamlNode object, String kind, String version) {
        if (kind.isEmpty() || object.at("kind").isPresent()) {
            return object;
        }
        Map<String, YamlNode> members = new LinkedHashMap<>(object.map());
        members.put("kind", text(object, "kind", kind));
        if (!version.isEmpty() && !object.at("apiVersion").isPresent()) {
            members.put("apiVersion", text(object, "apiVersion", version));
        }
        return new YamlNode(object.file(), object.line(), object.path(), YamlNode.Kind.MAPPING, members, null, null);
    }

    private static YamlNode text(YamlNode object, String name, String value) {
        String path = object.path().isEmpty() ? name : object.path() + "." + name;
        return new YamlNode(object.file(), object.line(), path, YamlNode.Kind.TEXT, null, null, value);
    }
}
