// Path templates of the record pages and of a record's picture, each with one parameter.

export const TOKEN_PATH = '/token/{mint}'
export const PICTURE_PATH = '/token/{mint}/picture.png'
export const CREATOR_PATH = '/creator/{address}'
export const CURVE_PATH = '/alt/{curve}'
