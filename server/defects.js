'use strict';

/** Returns the log fields of a defect: the error, and the original exception as its cause. */
function defectFields(error) {
  const cause = error?.cause?.message;
  return { error: error?.stack ?? String(error), ...(cause === undefined ? {} : { cause }) };
}

module.exports = { defectFields };
