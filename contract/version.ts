/** Version of the worker protocol: sockets, blobs and run events. A worker of another version is told so and given no run. */
export const PROTOCOL_VERSION = 1;

/** Version written into every stamped event and stored config; readers upcast older ones. */
export const SCHEMA_VERSION = 1;

/** Largest batch of events on the socket, in bytes of JSON; anything larger is a blob. */
export const MAX_BATCH_BYTES = 256 * 1024;

/** Largest checkpoint that is uploaded before it counts as complete, in bytes. */
export const MAX_UPLOADED_CHECKPOINT_BYTES = 256 * 1024 * 1024;
