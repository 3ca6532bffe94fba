package io.gpusched.manifests.objects;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Reads JSON into fabric8's models as Kubernetes does: a field that is null is one that is missing, and a field that is not
 * known is passed over. So no list or map of a model is null.
 */
public final class ModelMapper {
    /** An object that could not be read would keep its whole list from being read; the server bounds what it stores. */
    private static final StreamReadConstraints AS_THE_SERVER = StreamReadConstraints.builder()
            .maxNestingDepth(Integer.MAX_VALUE)
            .maxNumberLength(Integer.MAX_VALUE)
            .maxNameLength(Integer.MAX_VALUE)
            .maxStringLength(Integer.MAX_VALUE)
            .build();

    private ModelMapper() {}

    /** Returns a mapper for what anyone may have sent: a null in a list or map is an error. */
    public static ObjectMapper ofRequests() {
        return mapper(new JsonFactory(), Nulls.FAIL).disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    }

    /**
     * Returns a mapper for what the API server says, none of which may be lost: a null in a list or map is left out, and what is nested
     * deep or long is read as well.
     */
    public static ObjectMapper ofServer() {
        return mapper(JsonFactory.builder().streamReadConstraints(AS_THE_SERVER).build(), Nulls.SKIP);
    }

    private static ObjectMapper mapper(JsonFactory factory, Nulls inLists) {
        ObjectMapper mapper = new ObjectMapper(factory);
        mapper.setDefaultSetterInfo(JsonSetter.Value.construct(Nulls.SKIP, inLists));
        return mapper;
    }
}
