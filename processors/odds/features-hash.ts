// Written by `npm run detectors`: hash of the code of features.ts and of the code of this project that it uses. Models with another hash
// are refused.
export const FEATURES_HASH = '693c18d58810ccb03be91770f6029f72cd92a50c3854fd1164a89b02d604e632'
