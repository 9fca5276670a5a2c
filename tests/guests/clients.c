/* SPDX-License-Identifier: MIT */
#include "tests/guests/clients.h"
#include "core/base.h"
#include <string.h>

/* Between two turns of a client: an emulated CPU is slow, and the daemon needs one, too. */
#define NAP_US 200000

/* --------------------------------------------------------------------------------- one client */

static struct result *find(struct clients *clients, const struct result *like)
{
	struct results *results = &clients->results;

	for (size_t i = results->n; i-- > 0;)
		if (results->v[i].query == like->query && results->v[i].window == like->window &&
		    results->v[i].generation == like->generation &&
		    strcmp(results->v[i].text, like->text) == 0)
			return &results->v[i];
	return NULL;
}

static void note(struct clients *clients, struct result result)
{
	struct result *same;

	pthread_mutex_lock(&clients->lock);
	same = find(clients, &result);
	if (same)
		same->times++;
	else if (!(result.text = strdup(result.text)) || !pq_vec_push(&clients->results, result))
		die("memory");
	pthread_mutex_unlock(&clients->lock);
}

static void query_all(struct client *client, unsigned window)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	for (enum query query = 0; query < N_QUERIES; query++) {
		uint64_t generation = query_daemon(query, client->fd, client->source, &text);

		pq_buf_char(&text, '\0', 1);
		note(client->clients, (struct result){ .query = query,
						       .window = window,
						       .generation = generation,
						       .text = text.p,
						       .times = 1 });
	}
}

static void *run_client(void *of)
{
	struct client *client = of;

	while (!atomic_load(&client->clients->is_ending)) {
		unsigned window;

		pthread_rwlock_rdlock(&client->clients->turns);
		window = atomic_load(&client->clients->window);
		query_all(client, window);
		atomic_store(&client->done, window);
		pthread_rwlock_unlock(&client->clients->turns);
		usleep(NAP_US);
	}
	return NULL;
}

/* ---------------------------------------------------------------------------------- all clients */

static void init_locks(struct clients *clients)
{
	pthread_rwlockattr_t how;

	pthread_mutex_init(&clients->lock, NULL);
	/* By default, clients that have turns all the time would leave no pause. */
	pthread_rwlockattr_init(&how);
	pthread_rwlockattr_setkind_np(&how, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&clients->turns, &how);
}

void clients_start(struct clients *clients, size_t n, const char *socket)
{
	*clients = (struct clients){ .v = calloc(n, sizeof(*clients->v)), .n = n };
	if (!clients->v)
		die("memory");
	init_locks(clients);
	for (size_t i = 0; i < n; i++) {
		struct client *client = &clients->v[i];

		client->clients = clients;
		client->fd = connect_to(socket);
		if (pmuq_source_open_service(socket, &client->source, NULL) < 0 ||
		    pthread_create(&client->thread, NULL, run_client, client) != 0)
			die("a client");
	}
}

void clients_end(struct clients *clients)
{
	atomic_store(&clients->is_ending, true);
	for (size_t i = 0; i < clients->n; i++) {
		pthread_join(clients->v[i].thread, NULL);
		pmuq_source_free(clients->v[i].source);
		close(clients->v[i].fd);
	}
	results_free(&clients->results);
	pthread_rwlock_destroy(&clients->turns);
	pthread_mutex_destroy(&clients->lock);
	free(clients->v);
}

unsigned clients_begin_window(struct clients *clients)
{
	return atomic_fetch_add(&clients->window, 1) + 1;
}

void clients_wait(struct clients *clients, unsigned window)
{
	for (size_t i = 0; i < clients->n; i++)
		while (atomic_load(&clients->v[i].done) < window)
			usleep(1000);
}

void clients_pause(struct clients *clients)
{
	pthread_rwlock_wrlock(&clients->turns);
}

void clients_resume(struct clients *clients)
{
	pthread_rwlock_unlock(&clients->turns);
}

struct results clients_take(struct clients *clients)
{
	struct results taken = clients->results;

	clients->results = (struct results){ 0 };
	return taken;
}

void results_free(struct results *results)
{
	for (size_t i = 0; i < results->n; i++)
		free(results->v[i].text);
	pq_vec_free(results);
}
