package io.gpusched.manifests.objects;

import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The Kubernetes objects of a file: documents that follow each other, lists of Kubernetes and plain lists are taken apart, however
 * deep. An element of a typed list, such as a {@code NodeList}, need not repeat its kind.
 */
public final class ObjectList {
    private static final String LIST = "List";

    private final List<YamlNode> objects = new ArrayList<>();

    private ObjectList() {}

    /**
     * Returns the objects in the order of the file.
     *
     * @throws io.gpusched.manifests.yaml.InputException if a document is no object or has no kind
     */
    public static List<YamlNode> of(List<YamlNode> documents) {
        ObjectList list = new ObjectList();
        documents.forEach(document -> list.add(document, "", ""));
        return List.copyOf(list.objects);
    }

    /** Returns whether a document is an object of Kubernetes, or a list of some. */
    public static boolean isOne(YamlNode document) {
        return document.elements() != null
                ? document.list().stream().anyMatch(ObjectList::isOne)
                : document.members() != null && document.at("kind").isPresent();
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
        String kind = object.need("kind").text();
        if (kind.endsWith(LIST) && (object.has("items") || kind.equals(LIST))) {
            String of = kind.substring(0, kind.length() - LIST.length());
            String ofVersion = object.at("apiVersion").textOr("");
            object.at("items").list().forEach(item -> add(item, of, ofVersion));
        } else if (kind.equals("Status") && object.at("apiVersion").textOr("").equals("v1")) {
            throw object.error("is an answer of the API server and no object: "
                    + object.at("message").textOr(object.at("reason").textOr("no message")));
        } else {
            objects.add(object);
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
