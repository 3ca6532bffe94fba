package io.gpusched.manifests.yaml;

import java.util.Map;

/** Takes the documents of a file while it is being read. */
public interface DocumentSink {
    /**
     * Takes an element of a list that is a document, or of the member {@code items} of one that is a mapping; and so on, where such
     * an element is itself a list or such a mapping. What is taken need not be kept: so a list of any length can be read.
     *
     * @param element the element
     * @param around the members of that mapping which stand before {@code items}; none of a list that is no member
     * @return whether it was taken; else it stays in its list
     */
    default boolean item(YamlNode element, Map<String, YamlNode> around) {
        return false;
    }

    /** Takes a document that is not null, without the elements that were taken. */
    void document(YamlNode document);
}
