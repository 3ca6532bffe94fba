package io.gpusched.cli.job;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.List;

/** What a reader of jobs needs of the file in which they stand. */
public interface JobFile {
    /** Returns all objects of the file. */
    List<YamlNode> all();

    /** Returns a template of pods. */
    PodTemplateSpec template(YamlNode at);

    /** Returns an object of a model class, such as a pod's spec. */
    <T> T bind(YamlNode at, Class<T> type);

    /** Notes something that the user has to know. */
    void warn(YamlNode at, String problem);

    /**
     * Refuses a field that is not honoured.
     *
     * @param name by which the user may say that it is to be ignored
     * @throws io.gpusched.manifests.yaml.InputException unless he did
     */
    void refuse(String name, YamlNode at, String problem);
}
