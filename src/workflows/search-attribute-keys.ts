import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

export function keyword(attribute: { name: string }) {
  return defineSearchAttributeKey(attribute.name, SearchAttributeType.KEYWORD);
}
