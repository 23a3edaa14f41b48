"""How values are shown: template filters, the score pad, the chart, cards on the felt."""
