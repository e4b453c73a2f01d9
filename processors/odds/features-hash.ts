// Written by `npm run detectors`: what the code of features.ts hashes to, with what it uses of ours. A model of other features is refused.
export const FEATURES_HASH = '693c18d58810ccb03be91770f6029f72cd92a50c3854fd1164a89b02d604e632'
