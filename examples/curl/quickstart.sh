CAIRN=${CAIRN_URL:-http://127.0.0.1:4747}
KEY="Authorization: Bearer ${CAIRN_KEY:-$(cat .cairn/owner.key)}"
JSON='Content-Type: application/json'
NOW=$(date -u +%Y-%m-%dT%H:%M:%SZ)
shown() { node -pe "JSON.parse(require('fs').readFileSync(0, 'utf8'))$1"; }

curl -sS "$CAIRN/v1/events?wait_ms=30000" -H "$KEY" -H "$JSON" -d '{
  "event_id": "bulk-1", "kind": "service_call", "agent": "bulk-mailer", "outcome": "failed",
  "service": "mailgate", "operation": "send_bulk", "occurred_at": "'"$NOW"'",
  "input": {"campaign": "spring", "recipients": 1200}, "error": "at most 500 recipients a call"
}' | shown .items[0].disposition

curl -sS "$CAIRN/v1/recall" -H "$KEY" -H "$JSON" -H 'Cairn-Agent: bulk-mailer' \
  -d '{"query": "send the summer campaign to 1200 recipients with mailgate"}' | shown .context

CARD=$(curl -sS "$CAIRN/v1/cards" -H "$KEY" -H "$JSON" -H 'Cairn-Agent: bulk-mailer' \
  -d '{"kind": "convention", "summary": "Campaigns go out on Tuesdays before noon."}' | shown .id)
curl -sS "$CAIRN/v1/cards/$CARD" -H "$KEY" -H 'Cairn-Agent: bulk-mailer' | shown .summary

curl -sS "$CAIRN/v1/agents/planner" -X PUT -H "$KEY" -H "$JSON" -d '{}' | shown .id
curl -sS "$CAIRN/v1/cards/$CARD/grants/planner" -X PUT -H "$KEY" -H "$JSON" -d '{"purpose": "plans the week"}' >/dev/null
curl -sS "$CAIRN/v1/cards/$CARD" -H "$KEY" -H 'Cairn-Agent: planner' | shown .summary
curl -sS "$CAIRN/v1/cards/$CARD/grants/planner" -X DELETE -H "$KEY"
curl -sS "$CAIRN/v1/cards/$CARD" -H "$KEY" -H 'Cairn-Agent: planner' | shown .title
