/** Setup: the one request that creates an operator, its main company and the first admin on an empty installation. */

/** The page and its request; the token is in the URL fragment, which reaches no server and no log. */
export const setupPath = '/setup'
